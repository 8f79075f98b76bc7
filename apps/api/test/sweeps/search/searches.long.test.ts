import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../../support/each-database.ts";
import { type SearchWorld, searchWorld } from "../support/search-world.ts";
import { succeed } from "../support/succeed.ts";

const app = useApp();

describe("a search for settings", () => {
  let world: SearchWorld;
  beforeAll(async () => {
    world = await searchWorld(app());
  });

  /** Says of the graph how many nodes its split puts on a side. */
  async function withSplits(splits: object): Promise<void> {
    const { prisma } = app().services;
    const [graph] = await prisma.artifact.findMany({ where: { kind: "graph" } });
    const info = graph?.info as { readonly splits: object };
    const changed = { ...info, splits: { ...info.splits, ...splits } };
    await prisma.artifact.updateMany({ where: { kind: "graph" }, data: { info: changed } });
  }

  it("is begun and carried on by any leader, with ordinary jobs, to a best setting and its reason in words", async () => {
    // As few rows as the graph has cannot tell 0.9 from 0.6: its standard error would be 0.3.
    await withSplits({ val: 500 });
    const { body } = await world.submit().expect(202);
    expect(body).toMatchObject({ name: "search on cora", numSettings: 0, counts: { jobs: 0 }, finishedAt: null });
    await world.look();
    expect(await world.waitingJobs(body.id), "no more at once than there is room for").toHaveLength(2);
    await world.look();
    expect(await world.waitingJobs(body.id), "looking again begins nothing twice").toHaveLength(2);
    for (let rounds = 0; (await world.read(body.id)).finishedAt === null; rounds++) {
      if (rounds > 200) throw new Error("The search does not end.");
      for (const job of await world.waitingJobs(body.id)) {
        const value = JSON.stringify(job.spec).includes('"hiddenFeats":128') ? 0.9 : 0.6;
        await succeed(app(), job.id, value - (job.seed ?? 0) / 100, value - 0.05);
      }
      await world.look();
    }
    const ended = await world.read(body.id);
    expect(ended.search).toMatchObject({ budgetSeconds: 600, hasEnded: true });
    expect(ended.search.decisions[0]).toMatch(/settings can be tried in 10 min, 2 jobs at a time/);
    expect(ended.search.decisions[1]).toMatch(/^Round 1, .* By accuracy on the validation set these go on/);
    expect(ended.search.decisions.at(-1)).toMatch(/^The search has ended after/);
    const best = ended.settings[ended.best.setting];
    expect(best.changes.model.options).toMatchObject({ hiddenFeats: 128 });
    expect(best.trials.map(({ seed }: { seed: number }) => seed)).toEqual([0, 1, 2, 3, 4]);
    // Others of this width have as much; the one is taken that suits the graph best.
    expect(ended.best.reason).toMatch(
      /^By accuracy on the validation set .*GCN.* is as good as the best setting, .* It suits such a graph better\.$/,
    );
    const { body: job } = await app().admin.get(`/v1/jobs/${ended.best.jobId}`).expect(200);
    expect(job.spec).toMatchObject({
      model: { type: "gcn" },
      outputs: { embeddings: { formats: [] }, map: { maxDetailed: 0 } },
    });
    await app().admin.post(`/v1/sweeps/${body.id}/promote`).send({ name: "found" }).expect(201);
    await app().admin.delete(`/v1/sweeps/${body.id}`).expect(204);
  });

  it("judges each seed by another fifth of the training rows, where the dataset holds out nothing", async () => {
    await withSplits({ train: 3, val: 0 });
    const { body } = await world.submit().expect(202);
    const isOver = async () => (await world.read(body.id)).search.decisions.length > 3;
    for (let looks = 0; looks < 60 && !(await isOver()); looks++) {
      await world.look();
      for (const job of await world.waitingJobs(body.id)) await succeed(app(), job.id, 0.5, 0.5);
    }
    const jobs = await app().services.prisma.job.findMany({ where: { sweepId: body.id } });
    const folds = new Map(jobs.map(({ seed, spec }) => [seed, (spec as { readonly split: object }).split]));
    const split = { type: "column", column: "split", val: 0.2 };
    expect([folds.get(0), folds.get(1), folds.get(2)]).toEqual([
      split,
      { ...split, valFold: 1 },
      { ...split, valFold: 2 },
    ]);
    await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
    await withSplits({ train: 2, val: 1 });
  });

  it("leaves what the spec says as it is", async () => {
    const train = { epochs: 7, optimizer: { type: "sgd", options: { lr: 0.2 } } };
    const { body } = await world.submit({ model: { type: "gcn" }, train, features: { transforms: [] } }).expect(202);
    for (let i = 0; i < 3; i++) {
      await world.look();
      for (const job of await world.waitingJobs(body.id)) await succeed(app(), job.id, 0.5, 0.5);
    }
    const jobs = await app().services.prisma.job.findMany({ where: { sweepId: body.id } });
    expect(jobs.length).toBeGreaterThan(2);
    for (const { spec, modelType } of jobs) {
      expect(modelType).toBe("gcn");
      expect(spec).toMatchObject({ train, features: { transforms: [] } });
    }
    await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
  });
});
