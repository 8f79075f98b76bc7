import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalArtifactStore } from "@hopwise/artifacts";
import pino from "pino";
import { Integrity } from "../../../src/artifacts/integrity.ts";
import type { Viewer } from "../../../src/auth/viewer.ts";
import { type Database, openDatabase } from "../../../src/database/open-database.ts";
import type { JobState } from "../../../src/generated/prisma/client.ts";
import type { JobServices } from "../../../src/job-state/queue-job.ts";
import { Scheduler, type SchedulerOptions } from "../../../src/scheduler/scheduler.ts";
import { StoreGrants } from "../../../src/store/store-grants.ts";
import { freshDatabase } from "../../support/fresh-database.ts";
import { componentsOf, fixtureRegistry } from "./fixture-registry.ts";
import { PrivateRedis } from "./private-redis.ts";
import { type Script, ScriptedWorker, type ScriptedWorkerOptions, testLeaseMs } from "./scripted-worker.ts";
import { seedDataset } from "./seed-dataset.ts";

/** A real database and a real Redis with a READY dataset; schedulers and workers as the test wants them. */
export class World {
  readonly registry = fixtureRegistry();
  readonly viewer: Viewer;
  readonly database: Database;
  readonly redis: PrivateRedis;
  readonly datasetId: string;
  readonly versionId: string;
  readonly #schedulers: Scheduler[] = [];
  readonly #workers: ScriptedWorker[] = [];
  readonly #folders: string[] = [];

  private constructor(database: Database, redis: PrivateRedis, viewer: Viewer, datasetId: string, versionId: string) {
    this.database = database;
    this.redis = redis;
    this.viewer = viewer;
    this.datasetId = datasetId;
    this.versionId = versionId;
  }

  static async open(database: Database): Promise<World> {
    const ids = await seedDataset(database.prisma);
    const viewer: Viewer = { userId: ids.userId, name: "test", role: "ADMIN", projectId: ids.projectId, via: "key" };
    return new World(database, await PrivateRedis.start(), viewer, ids.datasetId, ids.versionId);
  }

  get prisma() {
    return this.database.prisma;
  }

  startScheduler(options: Partial<SchedulerOptions> = {}): Scheduler {
    const log = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" });
    const scheduler = new Scheduler({
      prisma: this.prisma,
      registry: this.registry,
      redisUrl: this.redis.url,
      log,
      isSoleClient: true,
      tickMs: 50,
      graceMs: testLeaseMs,
      ...options,
    });
    scheduler.start();
    this.#schedulers.push(scheduler);
    return scheduler;
  }

  /** On an empty artifact store: the registry's steps read all of every input. */
  async openGrants(): Promise<StoreGrants> {
    const { prisma, registry } = this;
    return StoreGrants.open({ prisma, registry, store: await this.#openStore(), log: pino({ level: "silent" }) });
  }

  /** On an empty artifact store. */
  async openIntegrity(): Promise<Integrity> {
    return new Integrity({ prisma: this.prisma, store: await this.#openStore(), log: pino({ level: "silent" }) });
  }

  async #openStore(): Promise<LocalArtifactStore> {
    const dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
    this.#folders.push(dir);
    return LocalArtifactStore.open(dir);
  }

  startWorker(script: Script, options: Partial<ScriptedWorkerOptions> = {}): ScriptedWorker {
    const components = componentsOf(this.registry);
    const worker = new ScriptedWorker({ redis: this.redis, components, script, ...options });
    this.#workers.push(worker);
    return worker;
  }

  services(scheduler?: Scheduler): JobServices {
    const { prisma, registry } = this;
    return { prisma, registry, jobChanged: (jobId) => scheduler?.jobChanged(jobId) };
  }

  /** A job spec that the fixture registry accepts. */
  spec(change: Record<string, unknown> = {}): Record<string, unknown> {
    return { version: 1, kind: "train", dataset: this.datasetId, task: { target: "label" }, ...change };
  }

  /** Follows the job's events until its state is one of these. */
  async reach(scheduler: Scheduler, jobId: string, ...states: JobState[]): Promise<JobState> {
    for await (const event of scheduler.events.jobEvents(jobId)) {
      if (event.type === "JobStateChanged" && states.includes(event.body.state)) return event.body.state;
    }
    const { state } = await this.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
    throw new Error(`The job ended ${state}, expected ${states.join(" or ")}.`);
  }

  /** What the database keeps of a job's story, in order. */
  async persisted(jobId: string) {
    const events = await this.prisma.jobEvent.findMany({ where: { jobId }, orderBy: { cursor: "asc" } });
    const logs = await this.prisma.logLine.findMany({ where: { jobId }, orderBy: { cursor: "asc" } });
    const metrics = await this.prisma.metric.findMany({ where: { jobId }, orderBy: { step: "asc" } });
    return { events, logs: logs.map(({ message }) => message), metrics };
  }

  async close(): Promise<void> {
    for (const worker of this.#workers) await worker.die();
    for (const scheduler of this.#schedulers) await scheduler.stop();
    await this.redis.stop();
    for (const dir of this.#folders) await rm(dir, { recursive: true, force: true });
  }
}

/** PGlite in memory, from a template that later runs find again. */
export function openTestDatabase(): Promise<Database> {
  return openDatabase({ cacheDir: join(tmpdir(), "hopwise-test-templates") });
}

/** One of its own on PostgreSQL, which is dropped when it is closed. @throws Error where none is installed */
export async function openPostgres(): Promise<Database> {
  const fresh = await freshDatabase();
  if (!fresh) throw new Error("PostgreSQL is not installed.");
  const database = await openDatabase({ url: fresh.url });
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}
