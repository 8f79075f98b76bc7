import {
  contractVersion,
  type DesiredState,
  redisKeys,
  type StageSlice,
  type StageTask,
  type WorkerEvent,
  workerEvent,
} from "@hopwise/contracts";
import { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { until } from "./until.ts";

/** A slice without sampler processes. */
export function sliceOf(
  index: number,
  count: number,
  first: number,
  ranks: number,
  devices: readonly string[] = [],
): StageSlice {
  return { index, count, ranks: { first, count: ranks }, samplers: { first: 0, count: 0 }, devices: [...devices] };
}

/** The scheduler's and consumer's side of the protocol, by hand: queues tasks, reads the stream, acknowledges. */
export class ApiSide {
  readonly #redis: Redis;
  readonly #queue: Queue;

  constructor(redis: Redis, workerId: string) {
    this.#redis = redis;
    this.#queue = new Queue(redisKeys.workerQueue(workerId), { connection: redis });
  }

  async submit(change: Partial<StageTask> & { jobId: string }): Promise<StageTask> {
    const { attempt = 1, ranks = 1 } = change;
    const task: StageTask = {
      contract: contractVersion,
      projectId: "default",
      attempt,
      stageIndex: 0,
      step: "probe",
      options: {},
      inputs: {},
      resume: null,
      output: {
        id: `art_${change.jobId}_${attempt}`,
        kind: "probed",
        prefix: `jobs/${change.jobId}/${attempt}/0`,
        reuseKey: "r",
      },
      ranks,
      samplers: 0,
      rankHosts: change.slice?.count ?? 1,
      slice: sliceOf(0, 1, 0, ranks),
      rendezvous: `ranks of ${change.jobId} ${attempt}`,
      device: "cpu",
      threadsPerRank: 1,
      maxDurationMs: 60_000,
      ...change,
    };
    await this.desire(task.jobId, { state: "run", attempt });
    await this.#queue.add("stage", task, { jobId: `${task.jobId}-${attempt}-${task.stageIndex}`, priority: 1 });
    return task;
  }

  async desire(jobId: string, state: DesiredState): Promise<void> {
    await this.#redis.hset(redisKeys.desired, jobId, JSON.stringify(state));
  }

  /** The streams of a job's stages, of all attempts and hosts; of all jobs when none is named. */
  async streams(jobId = "*"): Promise<string[]> {
    return (await this.#redis.keys(`hw:events:*:${jobId}-*`)).toSorted();
  }

  /** Loses the streams, as if nobody had read them. */
  async loseStreams(): Promise<void> {
    for (const stream of await this.streams()) await this.#redis.del(stream);
  }

  /** Every entry of the streams about a host's slice of the job. */
  async entries(jobId: string, slice = 0): Promise<WorkerEvent[]> {
    const streams = await this.streams(jobId);
    const entries = await Promise.all(streams.map((stream) => this.#redis.xrange(stream, "-", "+")));
    return entries
      .flat()
      .map(([, fields]) => workerEvent.parse(JSON.parse(fields[fields.indexOf("event") + 1] ?? "")))
      .filter((event) => event.jobId === jobId && event.slice === slice);
  }

  /** The job's events once each, in order, as soon as the last one and all before it are there. */
  async story(jobId: string, slice = 0): Promise<WorkerEvent[]> {
    return until(`the end of ${jobId}`, async () => {
      const events = inOrder(await this.entries(jobId, slice));
      const hasEnded = /^(stage(Succeeded|Failed|Cancelled)|sliceFinished)$/.test(events.at(-1)?.body.type ?? "");
      return hasEnded && events.at(-1)?.seq === events.length ? events : null;
    });
  }

  /** The first event of a type. */
  async event<T extends WorkerEvent["body"]["type"]>(jobId: string, type: T, slice = 0) {
    return until(`${type} of ${jobId}`, async () => {
      const bodies = inOrder(await this.entries(jobId, slice)).map((event) => event.body);
      return bodies.find((body): body is Extract<WorkerEvent["body"], { type: T }> => body.type === type);
    });
  }

  async acknowledge(event: WorkerEvent): Promise<void> {
    const key = `${event.jobId}-${event.attempt}-${event.stageIndex}`;
    await this.#redis.hset(redisKeys.acked, key, event.seq);
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}

/** Repeats dropped as the API drops them: by (attempt, stage, seq). */
export function inOrder(events: readonly WorkerEvent[]): WorkerEvent[] {
  const unique = new Map(events.map((event) => [`${event.attempt}/${event.stageIndex}/${event.seq}`, event]));
  return [...unique.values()].toSorted((a, b) => a.attempt - b.attempt || a.stageIndex - b.stageIndex || a.seq - b.seq);
}
