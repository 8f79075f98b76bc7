import { limits } from "@hopwise/contracts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { notFound } from "../../auth/viewer.ts";
import { deleteJob } from "../../jobs/delete-job.ts";
import { estimateJob } from "../../jobs/estimate-job.ts";
import { artifactsOf, metricsOf, stageOutput } from "../../jobs/job-artifacts.ts";
import { jobPartition } from "../../jobs/job-partition.ts";
import { getJob, listJobs } from "../../jobs/job-queries.ts";
import { readLogs } from "../../jobs/logs.ts";
import { readSeries } from "../../jobs/series.ts";
import { submitWithEstimate } from "../../jobs/submit-with-estimate.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { acceptYaml } from "../../plugins/body-parsers.ts";
import { cancelJob } from "../../scheduler/cancel.ts";
import type { Services } from "../../services.ts";
import { type IdParams, idParams, pageQuery, presentPage } from "./shapes.ts";

const jobStates = z.enum(["QUEUED", "RUNNING", "CANCELLING", "CANCELLED", "SUCCEEDED", "FAILED"]);
const listQuery = pageQuery.extend({
  state: jobStates.optional(),
  kind: z.string().optional(),
  dataset: z.string().optional(),
  search: z.string().max(200).optional(),
});
const seriesQuery = z.object({
  names: z.string().optional().describe("Comma-separated; left out: all"),
  maxPoints: z.coerce.number().int().min(2).max(10_000).default(1000),
});
const logsQuery = z.object({
  after: z.string().max(20).optional().describe("endCursor of the page before"),
  before: z.string().max(20).optional().describe("startCursor of the page after, to go back with `last`"),
  first: z.coerce.number().int().min(1).max(200).optional(),
  last: z.coerce.number().int().min(1).max(200).optional().describe("The newest lines in place of the oldest"),
  level: z.enum(["debug", "info", "warn", "error"]).optional(),
  rank: z.coerce.number().int().min(0).max(limits.ranks).optional(),
  search: z.string().max(200).optional(),
});
const costly = { costly: true };
const spec = z.unknown().describe("JobSpec: GET /v1/schemas/job-spec.json");

export async function jobRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const tags = ["jobs"];
  const byId = { schema: { tags, params: idParams } };
  app.get<{ Querystring: z.infer<typeof listQuery> }>(
    "/v1/jobs",
    { config: costly, schema: { tags, querystring: listQuery } },
    async (request) => {
      const { state, kind, project, dataset, search, ...page } = request.query;
      const filter = { project, dataset, search, states: state && [state], kinds: kind ? [kind] : undefined };
      return presentPage(await listJobs(services, viewerOf(request), { ...page, filter }));
    },
  );
  await app.register(async (scope) => specRoutes(scope, services, tags));
  app.get<IdParams>("/v1/jobs/:id", byId, async (request) => {
    const job = await getJob(services, viewerOf(request), request.params.id);
    const stages = await services.prisma.stage.findMany({ where: { jobId: job.id }, orderBy: { index: "asc" } });
    return { ...job, stages, metrics: await metricsOf(services, job.id) };
  });
  app.post<IdParams>("/v1/jobs/:id/cancel", byId, async (request, reply) => {
    const job = await cancelJob(services, viewerOf(request), request.params.id);
    return reply.code(202).send(job);
  });
  app.delete<IdParams>("/v1/jobs/:id", byId, async (request, reply) => {
    await deleteJob(services, viewerOf(request), request.params.id);
    return reply.code(204).send();
  });
  resultRoutes(app, services, tags);
}

/** The routes that take a job spec, as JSON or YAML. */
function specRoutes(scope: FastifyInstance, services: Services, tags: string[]): void {
  acceptYaml(scope);
  scope.post("/v1/jobs", { config: costly, schema: { tags, body: spec } }, async (request, reply) => {
    const key = request.headers["idempotency-key"];
    const idempotencyKey = typeof key === "string" ? key.slice(0, 200) : null;
    const options = { idempotencyKey, requestId: request.id };
    const job = await submitWithEstimate(services, viewerOf(request), request.body, options);
    return reply.code(202).header("location", `/v1/jobs/${job.id}`).send(job);
  });
  scope.post("/v1/jobs/estimate", { config: costly, schema: { tags, body: spec } }, async (request) =>
    estimateJob(services, viewerOf(request), request.body),
  );
}

function resultRoutes(app: FastifyInstance, services: Services, tags: string[]): void {
  app.get<IdParams & { Querystring: z.infer<typeof seriesQuery> }>(
    "/v1/jobs/:id/series",
    { config: costly, schema: { tags, params: idParams, querystring: seriesQuery } },
    async (request) => {
      const job = await getJob(services, viewerOf(request), request.params.id);
      const { names, maxPoints } = request.query;
      return readSeries(services, job.id, { names: names?.split(","), maxPoints });
    },
  );
  app.get<IdParams & { Querystring: z.infer<typeof logsQuery> }>(
    "/v1/jobs/:id/logs",
    { config: costly, schema: { tags, params: idParams, querystring: logsQuery } },
    async (request) => {
      const job = await getJob(services, viewerOf(request), request.params.id);
      return readLogs(services, job.id, request.query);
    },
  );
  app.get<IdParams>("/v1/jobs/:id/partition", { schema: { tags, params: idParams } }, async (request) => {
    const job = await getJob(services, viewerOf(request), request.params.id);
    const report = jobPartition((await stageOutput(services, job.id, "parts"))?.info, job.spec);
    if (!report) throw notFound("partition report of the job", job.id);
    return report;
  });
  app.get<IdParams>(
    "/v1/jobs/:id/artifacts",
    { config: costly, schema: { tags, params: idParams } },
    async (request) => {
      const job = await getJob(services, viewerOf(request), request.params.id);
      return { items: await artifactsOf(services, job.id) };
    },
  );
}
