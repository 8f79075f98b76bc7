import type { HopwiseClient } from "./client.ts";
import type { AnswerOf } from "./contract.ts";
import { ProblemError } from "./problem-error.ts";
import { wait } from "./retry.ts";

export type WriteBack = AnswerOf<"GET /v1/write-backs/:id">;

export interface FollowWriteBackOptions {
  /** Told of each look at one that goes on: how far it is, and why nothing goes out. */
  readonly onLook?: (now: WriteBack) => void;
  readonly everyMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Looks at a write-back until it has ended, well or not.
 *
 * @throws ProblemError when there is none of this id; the signal's reason
 */
export async function finishedWriteBack(
  client: HopwiseClient,
  id: string,
  { onLook, everyMs = 500, signal }: FollowWriteBackOptions = {},
): Promise<WriteBack> {
  for (;;) {
    const now = await client.call("GET /v1/write-backs/:id", { params: { id }, signal });
    if (now.finishedAt !== null) return now;
    onLook?.(now);
    await wait(everyMs, signal);
  }
}

/**
 * Looks at a write-back until it has succeeded.
 *
 * @throws ProblemError with its problem when it has not
 */
export async function succeededWriteBack(
  client: HopwiseClient,
  id: string,
  options: FollowWriteBackOptions = {},
): Promise<WriteBack> {
  const ended = await finishedWriteBack(client, id, options);
  if (ended.state === "SUCCEEDED") return ended;
  const detail = `The write-back ${id} is ${ended.state}; nothing of it was written.`;
  throw new ProblemError(ended.problem ?? { code: "JOB_NOT_SUCCEEDED", title: "It has not succeeded", detail });
}
