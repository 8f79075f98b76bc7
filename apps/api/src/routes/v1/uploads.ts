import { offsetBody, uploadRoutes as routes, tusChecksums, tusExtensions, tusVersion } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requireRole, type Viewer } from "../../auth/viewer.ts";
import type { Upload } from "../../generated/prisma/client.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { presentUpload } from "../../rest/present/present-upload.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { beginUpload } from "../../uploads/begin-upload.ts";
import { endUpload } from "../../uploads/end-upload.ts";
import { receiveBytes } from "../../uploads/receive-bytes.ts";
import { requireNoFailure, settleUpload } from "../../uploads/settle-upload.ts";
import { getUpload, listUploads, withPresentBytes } from "../../uploads/upload-queries.ts";
import { announcementOf, bytesOf, checksumOf, requireTusVersion } from "./tus-headers.ts";

/** Uploads that are gone on with after a cut, by tus 1.0 (https://tus.io/protocols/resumable-upload). */
export async function uploadRoutesOf(app: FastifyInstance, services: Services): Promise<void> {
  // Bodies of this scope are bytes, which are read only when it is known whose they are and where they belong.
  app.addContentTypeParser(offsetBody, (_request, payload, done) => done(null, payload));
  app.addHook("onRequest", async ({ headers }, reply) => {
    reply.header("tus-resumable", tusVersion);
    requireTusVersion(headers);
  });
  serve(app, routes.describeUploads, async (_request, reply) => {
    reply.headers({
      "tus-version": tusVersion,
      "tus-extension": tusExtensions,
      "tus-max-size": services.limits.uploadBytes,
      "tus-checksum-algorithm": tusChecksums,
    });
  });
  serve(app, routes.listUploads, async (request) => ({
    items: (await listUploads(services, viewerOf(request), request.params.id)).map(presentUpload),
  }));
  serve(app, routes.beginUpload, async (request, reply) => {
    const editor = editorOf(request);
    const upload = await beginUpload(services, editor, request.params.id, announcementOf(request.headers));
    describe(reply, upload).header("location", `/v1/uploads/${upload.id}`);
    return presentUpload(upload);
  });
  serve(app, routes.endUpload, async (request) => {
    await endUpload(services, viewerOf(request), request.params.id);
  });
  contentRoutes(app, services);
}

function contentRoutes(app: FastifyInstance, services: Services): void {
  serve(app, routes.readUpload, async (request, reply) => {
    const viewer = viewerOf(request);
    // What a lost connection has brought counts once it is stored.
    await services.uploads.receivers.settled((await getUpload(services, viewer, request.params.id)).id);
    const found = await withPresentBytes(services, await getUpload(services, viewer, request.params.id));
    // All of it is there, and whoever sent it was cut off before it could be made a file.
    const isLeft = found.state === "RECEIVING" && found.bytesDone === found.bytesTotal;
    const upload = isLeft ? await settleUpload(services, found) : found;
    describe(reply, upload).header("cache-control", "no-store");
    return presentUpload(upload);
  });
  serve(app, routes.continueUpload, async (request, reply) => {
    const editor = editorOf(request);
    const { headers, raw } = request;
    const declared = headers["content-length"];
    const upload = await receiveBytes(services, editor, request.params.id, {
      offset: bytesOf(headers, "upload-offset"),
      body: bytesIn(request.body),
      length: declared === undefined ? null : Number(declared),
      checksum: checksumOf(headers),
      stop: () => raw.destroy(),
    });
    const settled = await settleUpload(services, upload);
    requireNoFailure(settled);
    describe(reply, { ...settled, bytesDone: upload.bytesDone });
  });
}

/** Who asks, before a header of theirs is looked at. @throws AppError AUTH_FORBIDDEN */
function editorOf(request: FastifyRequest): Viewer {
  const viewer = viewerOf(request);
  requireRole(viewer, "EDITOR");
  return viewer;
}

/** Without a content type there is no body. */
function bytesIn(body: unknown): AsyncIterable<Uint8Array> {
  return (body ?? []) as AsyncIterable<Uint8Array>;
}

function describe(reply: FastifyReply, { bytesDone, bytesTotal, expiresAt }: Upload): FastifyReply {
  return reply.headers({
    "upload-offset": String(bytesDone),
    "upload-length": String(bytesTotal),
    "upload-expires": expiresAt.toUTCString(),
  });
}
