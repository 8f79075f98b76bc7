import { AppError } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { notFound, type Viewer, visible } from "../../auth/viewer.ts";
import type { Job } from "../../generated/prisma/client.ts";
import { exportFormats, findExport } from "../../jobs/downloads.ts";
import { blobsOf } from "../../jobs/job-artifacts.ts";
import { getJob } from "../../jobs/job-queries.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { submitExport } from "../../scheduler/submit.ts";
import type { Services } from "../../services.ts";
import { sendBlob } from "./send-blob.ts";
import { type IdParams, idParams } from "./shapes.ts";

const blobQuery = z.object({ blob: z.string().max(500).optional().describe("Name of a blob; left out: the manifest") });

/** Results by job and format, and any artifact's manifest and blobs. */
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
          return sendBlob(services, request, reply, { ...found.blob, key, filename: `${job.id}-${found.blob.name}` });
        }
        const making = await requestFormat(services, viewer, job, kind, format);
        // The answer is "not yet": the maker's progress is at `location`, the file will be at this address.
        return reply
          .code(202)
          .headers({ location: `/v1/jobs/${making.id}`, "retry-after": "2" })
          .send({ job: making.id, state: making.state, url: request.url });
      },
    );
  }
  artifactRoute(app, services);
}

/** The export job of this format that is under way, or a new one. */
async function requestFormat(
  services: Services,
  viewer: Viewer,
  job: Job,
  kind: "embeddings" | "predictions",
  format: string,
): Promise<Job> {
  if (job.state !== "SUCCEEDED") {
    throw new AppError("REQUEST_CONFLICT", `The job is ${job.state}; its ${kind} can be had once it has SUCCEEDED.`);
  }
  const formats = { embeddings: [], predictions: [], [kind]: [format] };
  const underWay = await services.prisma.job.findMany({
    where: { sourceJobId: job.id, kind: "export", state: { in: ["QUEUED", "RUNNING"] } },
  });
  const same = underWay.find(
    ({ spec }) => JSON.stringify((spec as { formats?: unknown }).formats) === JSON.stringify(formats),
  );
  return same ?? submitExport(services, viewer, job.id, formats);
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
        const manifest = await services.store.get(`${artifact.prefix}/manifest.json`);
        return reply.header("etag", `"${artifact.digest}"`).type("application/json").send(manifest);
      }
      const blob = blobsOf(artifact).find((one) => one.name === name);
      if (!blob) throw notFound(`blob of the artifact ${id}`, name);
      const filename = name.split("/").at(-1) ?? name;
      return sendBlob(services, request, reply, { ...blob, key: `${artifact.prefix}/${name}`, filename });
    },
  );
}
