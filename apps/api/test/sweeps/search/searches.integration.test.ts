import { beforeAll, describe, expect, it } from "vitest";
import { Leadership, LeadershipLost } from "../../../src/leader/leadership.ts";
import { searchState } from "../../../src/sweeps/search/search-state.ts";
import { withChanges } from "../../../src/sweeps/settings.ts";
import { useApp } from "../../support/each-database.ts";
import { readyDataset } from "../../support/fixtures.ts";
import { type SearchWorld, searchWorld } from "../support/search-world.ts";

const app = useApp();

describe("a search for settings", () => {
  let world: SearchWorld;
  beforeAll(async () => {
    world = await searchWorld(app());
  });

  it("tries nothing more once it is cancelled, and is deleted then", async () => {
    const { body } = await world.submit().expect(202);
    expect((await app().admin.delete(`/v1/sweeps/${body.id}`)).body.code).toBe("REQUEST_CONFLICT");
    await world.look();
    const { body: cancelled } = await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
    expect(cancelled).toMatchObject({ counts: { jobs: 2, cancelled: 2 }, finishedAt: expect.any(String) });
    await world.look();
    expect((await world.read(body.id)).counts.jobs).toBe(2);
    expect((await world.read(body.id)).search.decisions.at(-1)).toBe("The search was cancelled.");
    await app().admin.delete(`/v1/sweeps/${body.id}`).expect(204);
  });

  it("is not carried on by a process that leads no more", async () => {
    const { body } = await world.submit().expect(202);
    const deposed = new Leadership({ prisma: app().services.prisma, holder: "other" });
    await expect(world.look(deposed)).rejects.toThrow(LeadershipLost);
    expect((await world.read(body.id)).counts.jobs).toBe(0);
    await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
  });

  it("is judged by the figure that is asked for, in its trials and their choice of an epoch, too", async () => {
    const { body } = await world.submit(undefined, { budget: "PT10M", metric: "macroF1" }).expect(202);
    expect((await world.read(body.id)).metric).toBe("macroF1");
    await world.look();
    for (const job of await world.waitingJobs(body.id)) {
      expect(job.chiefMetric).toBe("macroF1");
      expect(job.spec).toMatchObject({ train: { earlyStopping: { metric: "val/macroF1", mode: "max" } } });
    }
    await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
    const { body: refused } = await world.submit(undefined, { budget: "PT10M", metric: "auc" }).expect(422);
    expect(refused).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/auto/metric" });
  });

  it("tries what its first round has no time for behind all else, the shortest first", async () => {
    const { body } = await world.submit(undefined, { budget: "PT3S" }).expect(202);
    const { search } = await app().services.prisma.sweep.findUniqueOrThrow({ where: { id: body.id } });
    const { candidates } = searchState.parse(search);
    const dataset = await readyDataset(app());
    const seconds: number[] = [];
    for (const { changes } of candidates) {
      const { "train.checkpoint.everyEpochs": _, ...others } = changes;
      const spec = withChanges({ version: 1, kind: "train", dataset, task: { target: "label" } }, others);
      seconds.push((await app().admin.post("/v1/jobs/estimate").send(spec).expect(200)).body.seconds);
    }
    const late = seconds.findIndex((each) => each > 0.45 * 3);
    expect(late, "some fit").toBeGreaterThan(0);
    expect(seconds.slice(late)).toEqual(seconds.slice(late).toSorted((a, b) => a - b));
    expect(Math.min(...seconds.slice(late)), "and those that fit stand before them").toBeGreaterThan(0.45 * 3);
    await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
  });

  it("is refused beside a grid, without time for anything, and where nothing is judged", async () => {
    const both = await app()
      .admin.post("/v1/sweeps")
      .send({ spec: {}, seeds: [1], auto: {} });
    expect(both.body).toMatchObject({ code: "REQUEST_INVALID", pointer: "/auto" });
    expect((await world.submit(undefined, { budget: "PT0S" })).body).toMatchObject({
      code: "JOB_SPEC_INVALID",
      pointer: "/auto/budget",
    });
    expect((await world.submit(undefined, { budget: "soon" })).body.code).toBe("REQUEST_INVALID");
  });
});
