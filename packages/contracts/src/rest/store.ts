import { z } from "zod";
import { anyBlobType } from "./artifacts.ts";
import { route } from "./route.ts";
import { count } from "./shapes.ts";

const tag = "artifact store";
const access = "grant";
const params = z.object({ "*": z.string().describe("Key of a blob") });
const headers = z.object({ range: z.string().optional().describe("One range of bytes (RFC 9110 §14)") });
const contentTypes = [anyBlobType];

/** The artifact store for workers that share no folder with the service. */
export const storeRoutes = {
  statBlob: route({
    method: "HEAD",
    path: "/v1/store/*",
    tag,
    summary: "Size and time of a blob",
    access,
    params,
    answers: { 200: { description: "They are in the headers" } },
    problems: ["REQUEST_NOT_FOUND"],
  }),
  readBlob: route({
    method: "GET",
    path: "/v1/store/*",
    tag,
    summary: "A blob, whole or in part",
    access,
    params,
    headers,
    answers: {
      200: { description: "The blob", contentTypes },
      206: { description: "The range of bytes that was asked for", contentTypes },
    },
    problems: ["REQUEST_NOT_FOUND", "REQUEST_RANGE"],
  }),
  writeBlob: route({
    method: "PUT",
    path: "/v1/store/*",
    tag,
    summary: "Stores a blob of what is not published yet",
    access,
    params,
    consumes: [anyBlobType],
    answers: { 201: z.object({ bytes: count, sha256: z.string() }).meta({ id: "StoredBlob" }) },
    problems: ["REQUEST_CONFLICT"],
  }),
  deleteBlob: route({
    method: "DELETE",
    path: "/v1/store/*",
    tag,
    summary: "Removes a blob of what is not published yet",
    access,
    params,
    answers: { 204: { description: "It is gone" } },
    problems: ["REQUEST_CONFLICT"],
  }),
  renewGrant: route({
    method: "POST",
    path: "/v1/store-grant",
    tag,
    summary: "The same grant with a later end",
    access,
    answers: { 200: z.object({ grant: z.string() }).meta({ id: "StoreGrant" }) },
  }),
};
