import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { notFound, visible } from "../../auth/viewer.ts";
import { exportFormats, findExport } from "../../jobs/downloads.ts";
import { blobsOf } from "../../jobs/job-artifacts.ts";
import { getJob } from "../../jobs/job-queries.ts";
import { exportMissing, requestExport } from "../../jobs/request-export.ts";
import { viewerOf } from "../../plugins/auth.ts";
import type { Services } from "../../services.ts";
import { sendBlob } from "./send-blob.ts";
import { type IdParams, idParams } from "./shapes.ts";

const blobQuery = z.object({ blob: z.string().max(500).optional().describe("Name of a blob; left out: the manifest") });

/** Results by job and format, made by POST and had by GET, and any artifact's manifest and blobs. */
export async function downloadRoutes(app: FastifyInstance, services: Services): Promise<void> {
  for (const kind of ["embeddings", "predictions"] as const) {
    const query = z.object({ format: z.enum(exportFormats[kind]).default("parquet") });
    app.get<IdParams & { Querystring: z.infer<typeof query> }>(
      `/v1/jobs/:id/${kind}`,
      { schema: { tags: ["downloads"], params: idParams, querystring: query } },
      async (request, reply) => {
        const viewer = viewerOf(request);
        const { format } = request.query;
        const job = await getJob(services, viewer, request.params.id);
        const found = await findExport(services, job.id, kind, format);
        if (found) {
          const key = `${found.artifact.prefix}/${found.blob.name}`;
          await services.integrity.requireBlob(found.artifact, found.blob);
          return sendBlob(services, request, reply, { ...found.blob, key, filename: `${job.id}-${found.blob.name}` });
        }
        throw await exportMissing(services, job, kind, format);
      },
    );
    app.post<IdParams & { Querystring: z.infer<typeof query> }>(
      `/v1/jobs/:id/${kind}`,
      { schema: { tags: ["downloads"], params: idParams, querystring: query } },
      async (request, reply) => {
        const { id } = request.params;
        const { url, job } = await requestExport(services, viewerOf(request), id, kind, request.query.format);
        if (job === null) return { ready: true, url, job: null, state: null };
        // The maker's progress is at `location`, the file will be at `url`.
        return reply
          .code(202)
          .headers({ location: `/v1/jobs/${job.id}`, "retry-after": "2" })
          .send({ ready: false, url, job: job.id, state: job.state });
      },
    );
  }
  artifactRoute(app, services);
}

function artifactRoute(app: FastifyInstance, services: Services): void {
  app.get<IdParams & { Querystring: z.infer<typeof blobQuery> }>(
    "/v1/artifacts/:id",
    { schema: { tags: ["downloads"], params: idParams, querystring: blobQuery } },
    async (request, reply) => {
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
    },
  );
}
