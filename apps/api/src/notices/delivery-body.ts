import type { Job, Webhook } from "../generated/prisma/client.ts";
import type { ToldSweep } from "./told-sweep.ts";

type ToldJob = Pick<
  Job,
  "id" | "name" | "kind" | "state" | "projectId" | "datasetName" | "modelType" | "chiefMetric" | "result"
>;

export interface ToldEvent {
  readonly event: string;
  readonly message: string;
  readonly at: Date;
  /** Null: a test */
  readonly job: ToldJob | null;
  /** Set: it tells of the end of a sweep */
  readonly sweep?: ToldSweep | null;
}

/** The JSON that a webhook is sent: the same bytes in every attempt. */
export function deliveryBody(
  id: string,
  { event, message, at, job, sweep = null }: ToldEvent,
  publicUrl: string,
): string {
  return JSON.stringify({
    version: 1,
    delivery: id,
    event,
    at: at.toISOString(),
    message,
    job: job && {
      id: job.id,
      name: job.name,
      kind: job.kind,
      state: job.state,
      project: job.projectId,
      dataset: job.datasetName,
      model: job.modelType,
      metric: job.chiefMetric,
      result: job.result,
      url: `${publicUrl}/jobs/${job.id}`,
    },
    sweep: sweep && presentSweep(sweep, publicUrl),
  });
}

function presentSweep({ id, name, counts, best, ...rest }: ToldSweep, publicUrl: string) {
  const { jobs, succeeded, failed, cancelled } = counts;
  return {
    id,
    name,
    project: rest.projectId,
    dataset: rest.datasetName,
    metric: rest.chiefMetric,
    jobs: { all: jobs, succeeded, failed, cancelled },
    best: best && { job: best.jobId, setting: best.setting, validation: best.validation, test: best.test },
    url: `${publicUrl}/sweeps/${id}`,
  };
}

/** Whether the webhook is to be told of it. */
export function isAskedFor(
  { events, projectId }: Pick<Webhook, "events" | "projectId">,
  event: string,
  ofProject: string,
): boolean {
  return Array.isArray(events) && events.includes(event) && (projectId === null || projectId === ofProject);
}
