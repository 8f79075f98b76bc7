import { Leadership } from "../../../src/leader/leadership.ts";
import { Searches } from "../../../src/sweeps/search/searches.ts";
import { readyDataset } from "../../support/fixtures.ts";
import type { TestApp } from "../../support/start-app.ts";

/** Searches on a dataset of four nodes, which are looked at when a test says so. */
export async function searchWorld(app: TestApp) {
  const { prisma, registry, jobChanged, log } = app.services;
  const dataset = await readyDataset(app);
  const leader = new Leadership({ prisma, holder: "test", ttlMs: 600_000 });
  if (!(await leader.campaign())) throw new Error("Another process leads.");
  return {
    /** Leaves settings of one model to be found: checking all proposals takes seconds. */
    submit: (changes: object = { model: { type: "gcn" } }, auto: object = { budget: "PT10M" }) =>
      app.admin
        .post("/v1/sweeps")
        .send({ spec: { version: 1, kind: "train", dataset, task: { target: "label" }, ...changes }, auto }),
    read: async (id: string) => (await app.admin.get(`/v1/sweeps/${id}`).expect(200)).body,
    /** A leader that has just been elected and knows nothing but the database. */
    look: (by: Leadership = leader) => new Searches({ prisma, registry, jobChanged }, log).run(by, 1000),
    waitingJobs: (sweepId: string) =>
      prisma.job.findMany({ where: { sweepId, state: "QUEUED" }, orderBy: { createdAt: "asc" } }),
  };
}

export type SearchWorld = Awaited<ReturnType<typeof searchWorld>>;
