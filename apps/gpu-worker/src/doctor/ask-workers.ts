import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  type DoctorReport,
  type DoctorRequest,
  doctorMs,
  doctorReport,
  redisChannels,
  redisKeys,
  type WorkerAnnouncement,
  workerAnnouncement,
} from "@hopwise/contracts";
import type { Redis } from "ioredis";

/** Longer than a worker takes to find that the others do not answer, with some others to try. */
const patienceMs = 40_000;
const lookMs = 100;

export interface Examination {
  /** By id */
  readonly workers: readonly WorkerAnnouncement[];
  /** By worker; one that did not answer is missing. */
  readonly reports: ReadonlyMap<string, DoctorReport>;
}

/** Lets all workers that are announced connect with each other, and waits for what they found. */
export async function askWorkers(redis: Redis): Promise<Examination> {
  const workers = await announcedWorkers(redis);
  if (workers.length === 0) return { workers, reports: new Map() };
  const request: DoctorRequest = { id: randomBytes(16).toString("hex"), workers: workers.map(({ id }) => id) };
  await redis.set(redisKeys.doctor, JSON.stringify(request), "PX", doctorMs);
  await redis.publish(redisChannels.doctor, "");
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const reports = await reportsOf(redis, request);
    if (reports.size === workers.length || performance.now() > deadline) return { workers, reports };
    await delay(lookMs);
  }
}

async function announcedWorkers(redis: Redis): Promise<WorkerAnnouncement[]> {
  const ids = await redis.smembers(redisKeys.workers);
  const texts = ids.length === 0 ? [] : await redis.mget(...ids.map((id) => redisKeys.worker(id)));
  const workers = texts.flatMap((text) => (text ? [workerAnnouncement.parse(JSON.parse(text))] : []));
  return workers.toSorted((a, b) => a.id.localeCompare(b.id));
}

async function reportsOf(redis: Redis, { id, workers }: DoctorRequest): Promise<Map<string, DoctorReport>> {
  const found = await redis.hmget(redisKeys.doctorAnswers(id), ...workers.map((worker) => `report:${worker}`));
  return new Map(
    workers.flatMap((worker, i) => {
      const text = found[i];
      return text ? [[worker, doctorReport.parse(JSON.parse(text))] as const] : [];
    }),
  );
}
