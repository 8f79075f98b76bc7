import { ArtifactError, assertKey, manifestName } from "@hopwise/artifacts";
import { AppError, storeRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { grantOf } from "../../plugins/auth.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { type GrantClaims, mayRead, writtenFolder } from "../../store/grant-claims.ts";
import { parseRange } from "./send-blob.ts";

type KeyRequest = FastifyRequest & { params: { "*": string } };

/** What workers store for each other in a check is its id. */
const longestDoctorBlob = 1024;

/**
 * The artifact store for workers that share no folder with this service: single blobs, streamed, each call with the
 * grant that came with the task. Nothing is listed, and what is published never changes.
 */
export async function storeRoutes(app: FastifyInstance, services: StoreServices): Promise<void> {
  const { store, grants } = services;
  app.removeAllContentTypeParsers(); // of this scope
  app.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));

  serve(app, routes.statBlob, async (request, reply) => {
    const { bytes, modifiedAt } = await statOf(services, readKey(request));
    return describe(reply, bytes, modifiedAt).header("content-length", bytes).send();
  });

  const readBlob = async (request: KeyRequest, reply: FastifyReply) => {
    const key = readKey(request);
    const { bytes, modifiedAt } = await statOf(services, key);
    const range = parseRange(request.headers.range ?? "", bytes);
    if (range === "unsatisfiable") {
      reply.header("content-range", `bytes */${bytes}`);
      throw new AppError("REQUEST_RANGE", `The range lies outside the ${bytes} bytes of ${key}.`);
    }
    describe(reply, bytes, modifiedAt);
    if (range === null) return reply.header("content-length", bytes).send(await store.get(key));
    const { start, end } = range;
    reply.code(206).headers({ "content-range": `bytes ${start}-${end}/${bytes}`, "content-length": end - start + 1 });
    return reply.send(await store.get(key, range));
  };
  serve(app, routes.readBlob, readBlob, { exposeHeadRoute: false });

  serve(app, routes.writeBlob, async (request) => {
    const claims = grantOf(request);
    const key = await unpublishedKey(services, request, claims);
    await store.requireSpaceFor(Number(request.headers["content-length"] ?? 0));
    return store.put(key, uploaded(request, services, claims)).catch(asConflict);
  });

  serve(app, routes.deleteBlob, async (request) => {
    const key = await unpublishedKey(services, request, grantOf(request));
    // A single blob: what lies below a key that names a folder stays.
    if (await store.stat(key)) await store.delete(key);
  });

  serve(app, routes.renewGrant, async (request) => ({ grant: grants.renewed(grantOf(request)) }));
}

/** What the routes need of the services. */
export interface StoreServices {
  readonly store: Services["store"];
  readonly grants: Pick<Services["grants"], "renewed" | "requireLive">;
  readonly limits: Pick<Services["limits"], "blobBytes">;
}

function describe(reply: FastifyReply, bytes: number, modifiedAt: Date): FastifyReply {
  return reply.type("application/octet-stream").headers({
    "accept-ranges": bytes === 0 ? "none" : "bytes",
    "cache-control": "no-store",
    "last-modified": modifiedAt.toUTCString(),
  });
}

async function statOf({ store }: StoreServices, key: string) {
  const found = await store.stat(key);
  if (found) return found;
  throw new AppError("REQUEST_NOT_FOUND", `There is no blob ${key} in the artifact store.`);
}

/** @throws AppError REQUEST_INVALID when it is no key */
function keyOf(request: KeyRequest): string {
  const key = request.params["*"];
  try {
    assertKey(key);
    return key;
  } catch (error) {
    throw new AppError("REQUEST_INVALID", (error as Error).message);
  }
}

function readKey(request: KeyRequest): string {
  const key = keyOf(request);
  if (mayRead(grantOf(request), key)) return key;
  throw new AppError("GRANT_FORBIDDEN", `This grant does not name ${key}; a worker reads what its own ranks open.`);
}

/** The key of a blob that may be written: of an artifact whose manifest is not there yet. */
async function unpublishedKey({ store }: StoreServices, request: KeyRequest, claims: GrantClaims): Promise<string> {
  const key = keyOf(request);
  const folder = writtenFolder(claims, key);
  if (folder === null) {
    throw new AppError("GRANT_FORBIDDEN", `This grant does not let ${key} be written; a stage writes its own output.`);
  }
  const isPublished = folder !== key && (await store.stat(`${folder}/${manifestName}`)) !== null;
  if (!isPublished) return key;
  throw new AppError("REQUEST_CONFLICT", `${folder} is published; what has a manifest does not change.`);
}

/** The body, cut off when it is over the limit; it becomes a blob only if the stage still works when it has ended. */
async function* uploaded(
  { body, headers }: FastifyRequest,
  { limits: { blobBytes }, grants }: StoreServices,
  claims: GrantClaims,
): AsyncGenerator<Uint8Array> {
  const most = "doctor" in claims.holder ? longestDoctorBlob : blobBytes;
  const tooLarge = () =>
    new AppError(
      "REQUEST_TOO_LARGE",
      `A blob has at most ${most} bytes; of a stage the API's HOPWISE_BLOB_BYTES may raise it.`,
    );
  if (Number(headers["content-length"] ?? 0) > most) throw tooLarge();
  let bytes = 0;
  // Without a content type there is no body.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge();
    yield chunk;
  }
  await grants.requireLive(claims);
}

function asConflict(error: unknown): never {
  if (error instanceof ArtifactError && error.code === "ARTIFACT_EXISTS") {
    throw new AppError("REQUEST_CONFLICT", error.message);
  }
  throw error;
}
