import { type JobSortKey, jobResultRoutes, queueRoutes, jobRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { notFound } from "../../auth/viewer.ts";
import { cancelJob } from "../../jobs/cancel-job.ts";
import { deleteJob } from "../../jobs/delete-job.ts";
import { endTraining } from "../../jobs/end-training.ts";
import { estimateJob } from "../../jobs/estimate-job.ts";
import { artifactsOf, matchedRowsOf, metricsOf, stageOutput } from "../../jobs/job-artifacts.ts";
import type { JobSort } from "../../jobs/job-order.ts";
import { jobPartition } from "../../jobs/job-partition.ts";
import { getJob, listJobs } from "../../jobs/job-queries.ts";
import { readLogs } from "../../jobs/logs.ts";
import { markJob } from "../../jobs/mark-job.ts";
import { newNeighborsOf } from "../../jobs/new-neighbors.ts";
import { readQueue } from "../../jobs/queue.ts";
import { queueHistory } from "../../jobs/queue-history.ts";
import { relationFiguresOf } from "../../jobs/relation-figures.ts";
import { retryJob } from "../../jobs/retry-job.ts";
import { readSeries } from "../../jobs/series.ts";
import { setPriority } from "../../jobs/set-priority.ts";
import { submitWithEstimate } from "../../jobs/submit-with-estimate.ts";
import { readUsage } from "../../jobs/usage.ts";
import { viewerOf } from "../../plugins/auth.ts";
import { acceptYaml } from "../../plugins/body-parsers.ts";
import { presentArtifact } from "../../rest/present/present-artifact.ts";
import { presentJob, presentQueue, presentStage } from "../../rest/present/present-job.ts";
import { presentPage } from "../../rest/present/present-page.ts";
import { serve } from "../../rest/serve.ts";
import type { Services } from "../../services.ts";

const costly = { config: { costly: true } };

export async function jobRoutes(app: FastifyInstance, services: Services): Promise<void> {
  serve(
    app,
    routes.listJobs,
    async (request) => {
      const { state, kind, project, dataset, worker, sweep, search, starred, sort, ...page } = request.query;
      const kinds = kind ? [kind] : undefined;
      const filter = {
        project,
        dataset,
        worker,
        sweep,
        search,
        states: state && [state],
        kinds,
        starred: starred === undefined ? undefined : starred === "true",
      };
      const listing = { ...page, filter, sort: sort && sortOf(sort) };
      return presentPage(await listJobs(services, viewerOf(request), listing), presentJob);
    },
    costly,
  );
  await app.register(async (scope) => specRoutes(scope, services));
  serve(app, routes.readJob, async (request) => {
    const job = await getJob(services, viewerOf(request), request.params.id);
    const stages = await services.prisma.stage.findMany({ where: { jobId: job.id }, orderBy: { index: "asc" } });
    return {
      ...presentJob(job),
      stages: stages.map(presentStage),
      learnedRows: await matchedRowsOf(services, job.id),
      metrics: await metricsOf(services, job.id),
    };
  });
  serve(app, routes.cancelJob, async (request) =>
    presentJob(await cancelJob(services, viewerOf(request), request.params.id)),
  );
  serve(app, routes.endTraining, async (request) =>
    presentJob(await endTraining(services, viewerOf(request), request.params.id)),
  );
  serve(app, routes.markJob, async (request) =>
    presentJob(await markJob(services, viewerOf(request), request.params.id, request.body)),
  );
  serve(app, routes.setJobPriority, async (request) =>
    presentJob(await setPriority(services, viewerOf(request), request.params.id, request.body.priority)),
  );
  serve(
    app,
    routes.retryJob,
    async (request, reply) => {
      const options = { idempotencyKey: idempotencyKeyOf(request), requestId: request.id };
      const job = await retryJob(services, viewerOf(request), request.params.id, request.body, options);
      reply.header("location", `/v1/jobs/${job.id}`);
      return presentJob(job);
    },
    costly,
  );
  serve(app, routes.deleteJob, async (request) => deleteJob(services, viewerOf(request), request.params.id));
  queueReadingRoutes(app, services);
  resultRoutes(app, services);
}

/** A name of what it is sorted by, with a minus for the other way round. */
function sortOf(text: JobSortKey | `-${JobSortKey}`): JobSort {
  const isDescending = text.startsWith("-");
  return { by: (isDescending ? text.slice(1) : text) as JobSortKey, isDescending };
}

/** The key under which a request may be repeated. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, "headers">): string | null {
  const key = headers["idempotency-key"];
  return typeof key === "string" ? key.slice(0, 200) : null;
}

/** The routes that take a job spec, as JSON or YAML. */
function specRoutes(scope: FastifyInstance, services: Services): void {
  acceptYaml(scope);
  serve(
    scope,
    routes.submitJob,
    async (request, reply) => {
      const options = { idempotencyKey: idempotencyKeyOf(request), requestId: request.id };
      const job = await submitWithEstimate(services, viewerOf(request), request.body, options);
      reply.header("location", `/v1/jobs/${job.id}`);
      return presentJob(job);
    },
    costly,
  );
  serve(scope, routes.estimateJob, async (request) => estimateJob(services, viewerOf(request), request.body), costly);
}

function queueReadingRoutes(app: FastifyInstance, services: Services): void {
  serve(
    app,
    queueRoutes.readQueueHistory,
    async (request) => ({ items: [...(await queueHistory(services, viewerOf(request), request.query.days))] }),
    costly,
  );
  serve(app, queueRoutes.readQueue, async (request) => presentQueue(await readQueue(services, viewerOf(request))));
}

function resultRoutes(app: FastifyInstance, services: Services): void {
  const jobOf = (request: Parameters<typeof viewerOf>[0] & { params: { id: string } }) =>
    getJob(services, viewerOf(request), request.params.id);
  serve(
    app,
    jobResultRoutes.readSeries,
    async (request) => {
      const { id } = await jobOf(request);
      const { names, maxPoints } = request.query;
      return readSeries(services, id, { names: names?.split(","), maxPoints });
    },
    costly,
  );
  serve(
    app,
    jobResultRoutes.readUsage,
    async (request) => readUsage(services, await jobOf(request), request.query.maxPoints),
    costly,
  );
  serve(
    app,
    jobResultRoutes.readLogs,
    async (request) => readLogs(services, (await jobOf(request)).id, request.query),
    costly,
  );
  serve(app, jobResultRoutes.readPartition, async (request) => {
    const job = await jobOf(request);
    const parts = await stageOutput(services, job.id, "parts");
    if (!parts) throw notFound("partition report of the job", job.id);
    return jobPartition(parts, job);
  });
  serve(app, jobResultRoutes.readNewNeighbors, async (request) =>
    newNeighborsOf(services, await jobOf(request), request.query),
  );
  serve(app, jobResultRoutes.readRelationFigures, async (request) => relationFiguresOf(services, await jobOf(request)));
  serve(
    app,
    jobResultRoutes.listArtifacts,
    async (request) => {
      const { id } = await jobOf(request);
      return { items: (await artifactsOf(services, id)).map(presentArtifact) };
    },
    costly,
  );
}
