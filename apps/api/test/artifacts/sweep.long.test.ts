import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ArtifactStore, LocalArtifactStore, manifestName } from "@hopwise/artifacts";
import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Sweep } from "../../src/artifacts/sweep.ts";
import { newId } from "../../src/database/ids.ts";
import type { Database } from "../../src/database/open-database.ts";
import { deleteDataset } from "../../src/datasets/dataset-service.ts";
import { deleteJob } from "../../src/jobs/delete-job.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import type { Scheduler } from "../../src/scheduler/scheduler.ts";
import { gate } from "../scheduler/support/gate.ts";
import { type ScriptedStage, succeedAtOnce } from "../scheduler/support/scripted-worker.ts";
import { openTestDatabase, World } from "../scheduler/support/world.ts";

let database: Database;
let world: World;
let dir: string;
let store: ArtifactStore;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  world = await World.open(database);
  dir = await mkdtemp(join(tmpdir(), "hopwise-sweep-"));
  store = await LocalArtifactStore.open(dir);
});
afterEach(async () => {
  await world.close();
  await rm(dir, { recursive: true, force: true });
});

const waitOptions = { timeout: 20_000, interval: 20 };

/** A scheduler that sweeps in every round, blobs `delayMs` after their last reference. */
function startSweeping(delayMs = 0): Scheduler {
  const log = pino({ level: "silent" });
  return world.startScheduler({ sweep: new Sweep({ prisma: world.prisma, store, log, everyMs: 20, delayMs }) });
}

/** Gives every artifact that has none yet a blob and a manifest in the store. */
async function fill(): Promise<void> {
  const where = { projectId: world.viewer.projectId ?? "" };
  for (const { prefix } of await world.prisma.artifact.findMany({ where })) {
    if (await store.stat(`${prefix}/${manifestName}`)) continue;
    await store.put(`${prefix}/data`, Buffer.from(prefix));
    await store.put(`${prefix}/${manifestName}`, Buffer.from("{}"));
  }
}

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

const versionOf = () => world.prisma.datasetVersion.findUniqueOrThrow({ where: { id: world.versionId } });

async function prefixOf(artifactId: string | null): Promise<string> {
  const { prefix } = await world.prisma.artifact.findUniqueOrThrow({ where: { id: artifactId ?? "" } });
  return prefix;
}

describe("checkpoints", () => {
  async function trainThree(stage: ScriptedStage, hold: () => Promise<void>): Promise<void> {
    if (stage.task.step !== "train") return stage.succeed();
    for (const epoch of [1, 2, 3]) await stage.checkpoint(epoch);
    await hold();
    await stage.succeed();
  }
  const checkpointsOf = (jobId: string) =>
    world.prisma.artifact.findMany({ where: { jobId, kind: "checkpoint" }, orderBy: { epoch: "asc" } });

  it("go when a newer one of the job is there, and a lost worker's job resumes from the one that stays", async () => {
    const idle = world.startScheduler();
    const middle = gate();
    const victim = world.startWorker((stage) => trainThree(stage, middle.pass), { id: "victim" });
    const job = await submitJob(world.services(idle), world.viewer, world.spec());
    await middle.arrived;
    await vi.waitFor(async () => expect(await checkpointsOf(job.id)).toHaveLength(3), waitOptions);
    const before = await checkpointsOf(job.id);
    await fill();
    await idle.stop();

    const scheduler = startSweeping();
    await vi.waitFor(async () => expect(await checkpointsOf(job.id)).toHaveLength(1), waitOptions);
    const kept = await Promise.all(before.map(async ({ prefix }) => (await keysBelow(prefix)).length));
    expect(kept).toEqual([0, 0, 2]);

    await victim.die();
    const heir = world.startWorker(succeedAtOnce, { id: "heir" });
    await world.reach(scheduler, job.id, "SUCCEEDED");
    expect(heir.tasks[0]?.resume?.id).toMatch(/-checkpoint-3-30$/);
    const attempts = await world.prisma.attempt.findMany({ where: { jobId: job.id }, orderBy: { number: "asc" } });
    expect(attempts.map(({ resumedFromEpoch }) => resumedFromEpoch)).toEqual([null, 3]);
  });

  it("are unreachable at once, while their blobs stay for readers until the delay is over", async () => {
    const scheduler = startSweeping(3_600_000);
    const middle = gate();
    world.startWorker((stage) => trainThree(stage, middle.pass));
    const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
    await middle.arrived;
    await vi.waitFor(async () => expect(await checkpointsOf(job.id)).toHaveLength(3), waitOptions);
    await fill();
    middle.open();
    await world.reach(scheduler, job.id, "SUCCEEDED");
    await vi.waitFor(async () => {
      const found = await checkpointsOf(job.id);
      expect(found.map(({ deletedAt }) => deletedAt === null)).toEqual([false, false, true]);
    }, waitOptions);
    for (const { prefix } of await checkpointsOf(job.id)) expect(await keysBelow(prefix)).toHaveLength(2);
  });
});

describe("a deleted dataset", () => {
  it("takes its files and graph along, the jobs that made them, and what was never made an artifact", async () => {
    const prefix = "projects/p/datasets/d/v1/upload-open";
    await store.put(`${prefix}/files/0`, Buffer.from("src,dst\n"));
    const source = { projectId: world.viewer.projectId ?? "", createdBy: world.viewer.userId, bytes: 8n, sha256: "" };
    const other = { ...source, id: newId("file"), versionId: world.versionId, name: "e.csv" };
    await world.prisma.sourceFile.create({ data: { ...other, blobKey: `${prefix}/files/0` } });
    const { filesId, graphId } = await versionOf();
    await fill();
    const gone = [await prefixOf(filesId), await prefixOf(graphId), prefix];
    await deleteDataset(world, world.viewer, world.datasetId);
    await world.prisma.datasetVersion.update({ where: { id: world.versionId }, data: { filesPrefix: prefix } });

    startSweeping();
    await vi.waitFor(async () => {
      for (const each of gone) expect(await keysBelow(each)).toEqual([]);
      expect(await world.prisma.artifact.count({ where: { id: { in: [filesId ?? "", graphId ?? ""] } } })).toBe(0);
      expect(await world.prisma.sourceFile.count({ where: { versionId: world.versionId } })).toBe(0);
    }, waitOptions);
  });

  it("leaves the graph to a training job that remains; with that job, graph and rows go too", async () => {
    const scheduler = startSweeping();
    world.startWorker(succeedAtOnce);
    const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
    await world.reach(scheduler, job.id, "SUCCEEDED");
    const { filesId, graphId } = await versionOf();
    await fill();
    const files = await prefixOf(filesId);
    const graph = await prefixOf(graphId);
    const outputs = await world.prisma.artifact.findMany({ where: { jobId: job.id } });
    await deleteDataset(world, world.viewer, world.datasetId);
    await vi.waitFor(async () => expect(await keysBelow(files)).toEqual([]), waitOptions);
    expect(await keysBelow(graph)).toHaveLength(2);
    for (const { prefix } of outputs) expect(await keysBelow(prefix)).toHaveLength(2);

    expect(await world.prisma.stageSequence.count({ where: { jobId: job.id } })).toBeGreaterThan(0);
    await world.prisma.job.update({ where: { id: job.id }, data: { deletedAt: new Date() } });
    await vi.waitFor(async () => {
      expect(await keysBelow(graph)).toEqual([]);
      for (const { prefix } of outputs) expect(await keysBelow(prefix)).toEqual([]);
      expect(await world.prisma.job.count({ where: { id: job.id } })).toBe(0);
      expect(await world.prisma.stageSequence.count({ where: { jobId: job.id } })).toBe(0);
    }, waitOptions);
  });

  it("leaves what another job has reused of its jobs' artifacts", async () => {
    const scheduler = startSweeping();
    world.startWorker(succeedAtOnce);
    const first = await submitJob(world.services(scheduler), world.viewer, world.spec());
    await world.reach(scheduler, first.id, "SUCCEEDED");
    const second = await submitJob(world.services(scheduler), world.viewer, world.spec());
    await world.reach(scheduler, second.id, "SUCCEEDED");
    await fill();
    const mine = await world.prisma.artifact.findMany({ where: { jobId: first.id } });
    await world.prisma.job.update({ where: { id: first.id }, data: { deletedAt: new Date() } });
    await vi.waitFor(
      async () => expect(await world.prisma.job.count({ where: { id: first.id } })).toBe(0),
      waitOptions,
    );
    await vi.waitFor(async () => {
      const left = await world.prisma.artifact.findMany({ where: { id: { in: mine.map(({ id }) => id) } } });
      expect(left.map(({ kind }) => kind)).toEqual(["parts"]);
    }, waitOptions);
    const parts = mine.find(({ kind }) => kind === "parts");
    expect(await keysBelow(parts?.prefix ?? "")).toHaveLength(2);
  });
});

it("goes on where a killed sweep stopped: manifest gone, blobs and row still there", async () => {
  const { graphId } = await versionOf();
  await fill();
  const prefix = await prefixOf(graphId);
  await store.delete(`${prefix}/${manifestName}`);
  await world.prisma.datasetVersion.update({ where: { id: world.versionId }, data: { graphId: null } });
  startSweeping();
  await vi.waitFor(async () => {
    expect(await keysBelow(prefix)).toEqual([]);
    expect(await world.prisma.artifact.count({ where: { id: graphId ?? "" } })).toBe(0);
  }, waitOptions);
});

it("takes what a worker killed while it published left behind, once nobody can finish it, and nothing else", async () => {
  const log = pino({ level: "silent" });
  const sweep = new Sweep({ prisma: world.prisma, store, log, everyMs: 20, delayMs: 0 });
  const anybody = { assert: async () => {} };
  const scheduler = world.startScheduler();
  const middle = gate();
  const victim = world.startWorker(
    async (stage) => {
      if (stage.task.step === "train") await middle.pass();
      await stage.succeed();
    },
    { id: "victim" },
  );
  const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
  await middle.arrived;
  const half = `${victim.tasks.at(-1)?.output.prefix}/model.safetensors`;
  await store.put(half, Buffer.from("half of it"));
  await sweep.run(anybody);
  expect(await keysBelow(half), "its attempt may still finish it").toEqual([half]);

  await victim.die();
  world.startWorker(succeedAtOnce, { id: "heir" });
  await world.reach(scheduler, job.id, "SUCCEEDED");
  await fill();
  await sweep.run(anybody);
  expect(await keysBelow(half)).toEqual([]);
  for (const { prefix } of await world.prisma.artifact.findMany({ where: { jobId: job.id } })) {
    expect(await keysBelow(prefix)).toHaveLength(2);
  }
});

describe("a job deleted by its user", () => {
  it("must have ended; then it is out of sight at once, its key is free, and its rows and blobs go", async () => {
    const scheduler = startSweeping();
    const middle = gate();
    world.startWorker(async (stage) => {
      if (stage.task.step === "train") await middle.pass();
      await stage.succeed();
    });
    const services = world.services(scheduler);
    const request = { idempotencyKey: "once" };
    const job = await submitJob(services, world.viewer, world.spec(), request);
    await middle.arrived;
    const refusal = await deleteJob(services, world.viewer, job.id).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ problem: { code: "REQUEST_CONFLICT", status: 409 } });
    const onlooker = { ...world.viewer, role: "VIEWER" } as const;
    await expect(deleteJob(services, onlooker, job.id)).rejects.toMatchObject({ problem: { code: "AUTH_FORBIDDEN" } });
    middle.open();
    await world.reach(scheduler, job.id, "SUCCEEDED");
    await fill();
    const outputs = await world.prisma.artifact.findMany({ where: { jobId: job.id } });

    await deleteJob(services, world.viewer, job.id);
    await expect(deleteJob(services, world.viewer, job.id)).rejects.toMatchObject({
      problem: { code: "REQUEST_NOT_FOUND" },
    });
    await vi.waitFor(async () => {
      for (const { prefix } of outputs) expect(await keysBelow(prefix)).toEqual([]);
      expect(await world.prisma.job.count({ where: { id: job.id } })).toBe(0);
    }, waitOptions);
    const again = await submitJob(services, world.viewer, world.spec(), request);
    expect(again.id).not.toBe(job.id);
  });
});
