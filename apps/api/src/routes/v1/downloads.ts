import { artifactRoutes, type ExportKind, jobResultRoutes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound, visible } from "../../auth/viewer.ts";
import { blobsOf } from "../../database/stored-json.ts";
import { findExport } from "../../jobs/downloads.ts";
import { getJob } from "../../jobs/job-queries.ts";
import { type ColumnNames, columnsOf, exportMissing, requestExport } from "../../jobs/request-export.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";
import { sendBlob } from "./send-blob.ts";

type ExportRequest = FastifyRequest & { params: { id: string }; query: { format: string } & ColumnNames };

/** Results by job and format, made by POST and had by GET, and any artifact's manifest and blobs. */
export async function downloadRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(app, jobResultRoutes.readEmbeddings, (request, reply) => sendExport(services, "embeddings", request, reply));
  serve(app, jobResultRoutes.readPredictions, (request, reply) => sendExport(services, "predictions", request, reply));
  serve(app, jobResultRoutes.requestEmbeddings, (request, reply) => askFor(services, "embeddings", request, reply));
  serve(app, jobResultRoutes.requestPredictions, (request, reply) => askFor(services, "predictions", request, reply));
  artifactRoute(app, services);
}

async function sendExport(services: Services, kind: ExportKind, request: ExportRequest, reply: FastifyReply) {
  const { format, ...names } = request.query;
  const columns = columnsOf(kind, format, names);
  const job = await getJob(services, viewerOf(request), request.params.id);
  const found = await findExport(services, job.id, kind, format, columns);
  if (!found) throw await exportMissing(services, job, kind, format, columns);
  const key = `${found.artifact.prefix}/${found.blob.name}`;
  await services.integrity.requireBlob(found.artifact, found.blob);
  return sendBlob(services, request, reply, { ...found.blob, key, filename: `${job.id}-${found.blob.name}` });
}

async function askFor(services: Services, kind: ExportKind, request: ExportRequest, reply: FastifyReply) {
  const { params, query } = request;
  const { url, job } = await requestExport(services, viewerOf(request), params.id, kind, query.format, query);
  if (job === null) return { ready: true, url, job: null, state: null };
  // The maker's progress is at `location`, the file will be at `url`.
  reply.code(202).headers({ location: `/v1/jobs/${job.id}`, "retry-after": "2" });
  return { ready: false, url, job: job.id, state: job.state };
}

function artifactRoute(app: FastifyInstance, services: Services): void {
  serve(app, artifactRoutes.readArtifact, async (request, reply) => {
    const { id } = request.params;
    const artifact = await services.prisma.artifact.findFirst({
      where: { id, deletedAt: null, ...visible(viewerOf(request)) },
    });
    if (!artifact) throw notFound("artifact", id);
    const { blob: name } = request.query;
    if (name === undefined) {
      const manifest = await services.integrity.requireManifest(artifact);
      return reply.header("etag", `"${artifact.digest}"`).type("application/json").send(manifest);
    }
    const blob = blobsOf(artifact).find((one) => one.name === name);
    if (!blob) throw notFound(`blob of the artifact ${id}`, name);
    await services.integrity.requireBlob(artifact, blob);
    const filename = name.split("/").at(-1) ?? name;
    return sendBlob(services, request, reply, { ...blob, key: `${artifact.prefix}/${name}`, filename });
  });
}
