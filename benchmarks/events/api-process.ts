/**
 * The service's scheduler and reader of events on a database, in a process of its own; asked by messages.
 *
 *   api-process.ts DATABASE REDIS_URL      DATABASE: postgresql://… or a folder for PGlite
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTerminal } from "@hopwise/contracts";
import pino from "pino";
import type { Viewer } from "../../apps/api/src/auth/viewer.ts";
import { openDatabase } from "../../apps/api/src/database/open-database.ts";
import { cancelJob } from "../../apps/api/src/jobs/cancel-job.ts";
import { submitJob } from "../../apps/api/src/jobs/submit-job.ts";
import { Scheduler } from "../../apps/api/src/scheduler/scheduler.ts";
import { fixtureRegistry } from "../../apps/api/test/scheduler/support/fixture-registry.ts";
import { seedDataset } from "../../apps/api/test/scheduler/support/seed-dataset.ts";
import type { Answer, Question } from "./api-questions.ts";

const [place = "", redisUrl = ""] = process.argv.slice(2);
const isServer = place.startsWith("postgresql:");
const cacheDir = join(tmpdir(), "hopwise-test-templates");
const { prisma } = await openDatabase(isServer ? { url: place } : { dir: place, cacheDir });
const registry = fixtureRegistry();

const viewer = await findOrSeed();
const log = pino({ level: process.env["BENCH_LOG_LEVEL"] ?? "silent" });
const scheduler = new Scheduler({ prisma, registry, redisUrl, log, isSoleClient: !isServer });
scheduler.start();
const services = { prisma, registry, jobChanged: (jobId: string) => scheduler.jobChanged(jobId) };

process.on("message", ({ id, question }: { id: number; question: Question }) => {
  answer(question).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.send?.({ id: 0, value: {} });

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case "submit": {
      const { id: dataset } = await prisma.dataset.findFirstOrThrow();
      const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
      return { jobId: (await submitJob(services, viewer, spec)).id };
    }
    case "cancel": {
      const { cursor } = await prisma.job.findUniqueOrThrow({ where: { id: question.jobId } });
      const startedAt = performance.now();
      await cancelJob(services, viewer, question.jobId);
      await end(question.jobId, cursor);
      return { seconds: (performance.now() - startedAt) / 1000 };
    }
    case "end":
      return { state: await end(question.jobId) };
    case "persisted":
      while ((await persistedSeq(question.jobId)) < question.seq) {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      return {};
    case "points": {
      const { jobId } = question;
      return {
        points: await prisma.metric.count({ where: { jobId } }),
        events: await prisma.jobEvent.count({ where: { jobId } }),
      };
    }
    case "cpu": {
      const { user, system } = process.cpuUsage();
      return { seconds: (user + system) / 1e6 };
    }
    case "insert":
      break;
  }
  return { seconds: await bareInserts(question.jobId, question.events) };
}

async function end(jobId: string, after = 0): Promise<string> {
  for await (const { type, body } of scheduler.events.jobEvents(jobId, after)) {
    if (type === "JobStateChanged" && isTerminal(body.state)) return body.state;
  }
  return (await prisma.job.findUniqueOrThrow({ where: { id: jobId } })).state;
}

/** The highest persisted sequence number of any slice. */
async function persistedSeq(jobId: string): Promise<number> {
  const { _max } = await prisma.stageSequence.aggregate({ where: { jobId }, _max: { seq: true } });
  return _max.seq ?? 0;
}

/** Copies the rows within the database, a thousand to a statement, with nothing around it: the ceiling. */
async function bareInserts(jobId: string, events: number): Promise<number> {
  await prisma.$executeRaw`CREATE TABLE IF NOT EXISTS bare (LIKE "JobEvent" INCLUDING ALL)`;
  const body = JSON.stringify({
    stageIndex: 1,
    kind: "train",
    state: "RUNNING",
    completed: 1,
    total: 2,
    unit: "epochs",
  });
  const startedAt = performance.now();
  for (let first = 1; first <= events; first += 1000) {
    await prisma.$executeRaw`
      INSERT INTO bare ("jobId", "cursor", "projectId", "createdBy", "attempt", "stageIndex", "type", "at", "body")
      SELECT ${jobId}, n, 'p', 'u', 1, 1, 'StageProgressed', now(), ${body}::jsonb
      FROM generate_series(${first}::int, ${Math.min(events, first + 999)}::int) AS n`;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  await prisma.$executeRaw`DROP TABLE bare`;
  return seconds;
}

async function findOrSeed(): Promise<Viewer> {
  const dataset = await prisma.dataset.findFirst();
  const owner = dataset
    ? { userId: dataset.createdBy, projectId: dataset.projectId }
    : await seedDataset(prisma).then(({ userId, projectId }) => ({ userId, projectId }));
  return { ...owner, name: "bench", role: "ADMIN", via: "key" };
}
