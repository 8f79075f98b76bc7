import { expect, it } from "vitest";
import { readSeries } from "../../src/jobs/series.ts";
import { describeEachDatabase } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

describeEachDatabase("the series of a job", {}, (app) => {
  it("are thinned evenly with their last point kept, and those that are short enough left whole", async () => {
    const spec = { version: 1, kind: "train", dataset: await readyDataset(app()), task: { target: "label" } };
    const { body: job } = await app().admin.post("/v1/jobs").send(spec).expect(202);
    const at = new Date("2026-11-20T20:00:00.123Z");
    const times = (count: number) => Array.from({ length: count }, () => at.getTime());
    const row = { jobId: job.id, projectId: "default", createdBy: "admin", attempt: 1, at };
    const points = (name: string, axis: string, steps: readonly number[]) =>
      steps.map((step) => ({ ...row, name, axis, step, value: step === 3 ? null : step / 2 }));
    const to = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
    await app().services.prisma.metric.createMany({
      data: [...points("train/loss", "epoch", to(1000)), ...points("lr", "step", to(4)), ...points("z", "epoch", [7])],
    });
    const read = (request: object) => readSeries(app().services, job.id, request);
    const [lr, loss, z] = await read({ maxPoints: 5 });
    expect(lr).toEqual({ name: "lr", axis: "step", steps: [1, 2, 3, 4], values: [0.5, 1, null, 2], times: times(4) });
    expect(loss).toEqual({
      name: "train/loss",
      axis: "epoch",
      steps: [1, 251, 501, 751, 1000],
      values: [0.5, 125.5, 250.5, 375.5, 500],
      times: times(5),
    });
    expect(z).toEqual({ name: "z", axis: "epoch", steps: [7], values: [3.5], times: times(1) });
    expect((await read({ names: ["z", "nothing"] })).map(({ name }) => name)).toEqual(["z"]);
    expect(await read({ names: [] })).toEqual([]);
    expect((await read({ maxPoints: 1000 })).map(({ steps }) => steps.length)).toEqual([4, 1000, 1]);
  });
});
