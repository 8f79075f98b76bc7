import type { HopwiseClient } from "./client.ts";
import type { AnswerOf, EventOf } from "./contract.ts";
import { ProblemError } from "./problem-error.ts";

export type Job = AnswerOf<"GET /v1/jobs/:id">;
export type JobEvent = EventOf<"GET /v1/jobs/:id/events">;

export interface FollowJobOptions {
  readonly onEvent?: (event: JobEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Follows a job, from its first event, until it has ended, well or not.
 *
 * @throws ProblemError when there is no such job; the signal's reason
 */
export async function finishedJob(
  client: HopwiseClient,
  id: string,
  { onEvent, signal }: FollowJobOptions = {},
): Promise<Job> {
  for await (const event of client.events("GET /v1/jobs/:id/events", { params: { id }, signal })) onEvent?.(event);
  return client.call("GET /v1/jobs/:id", { params: { id }, signal });
}

/**
 * Follows a job until it has succeeded.
 *
 * @throws ProblemError with the job's problem when it has not
 */
export async function succeededJob(client: HopwiseClient, id: string, options: FollowJobOptions = {}): Promise<Job> {
  const job = await finishedJob(client, id, options);
  if (job.state === "SUCCEEDED") return job;
  const detail = `The job ${id} (${job.kind}) is ${job.state}; its log may say why. Submit it again.`;
  throw new ProblemError(job.problem ?? { code: "JOB_NOT_SUCCEEDED", title: "The job has not succeeded", detail });
}
