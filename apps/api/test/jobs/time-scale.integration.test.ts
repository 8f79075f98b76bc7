import { expect, it } from "vitest";
import { describeEachDatabase } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

describeEachDatabase("the time that an estimate says", {}, (app) => {
  it("goes with what finished jobs of the model took, all their stages together", async () => {
    const spec = { version: 1, kind: "train", dataset: await readyDataset(app()), task: { target: "label" } };
    const estimated = async (model: string) => {
      const { body } = await app()
        .admin.post("/v1/jobs/estimate")
        .send({ ...spec, model: { type: model } })
        .expect(200);
      return body as { seconds: number; notes: string[] };
    };
    const byFormula = await estimated("sage");
    expect(byFormula.notes.join()).toContain("no sage job has succeeded here yet");
    for (let i = 0; i < 5; i++) await finishJob(spec, 4 * byFormula.seconds);
    const learned = await estimated("sage");
    expect(learned.notes.join()).toContain("the last 5 sage jobs");
    expect(learned.seconds).toBeGreaterThan(3 * byFormula.seconds);
    expect(learned.seconds).toBeLessThanOrEqual(4 * byFormula.seconds * (1 + 1e-9));
    expect((await estimated("gcn")).notes.join()).toContain("no gcn job has succeeded here yet");
  });

  /** Submits a job and puts it into the database as one that took so many seconds, half of them before training. */
  async function finishJob(spec: object, seconds: number): Promise<void> {
    const { body: job } = await app().admin.post("/v1/jobs").send(spec).expect(202);
    const { prisma } = app().services;
    const startedAt = new Date(Date.now() - seconds * 1000);
    const trainingAt = new Date(startedAt.getTime() + seconds * 500);
    const finishedAt = new Date(startedAt.getTime() + seconds * 1000);
    const stagesOfKind = (kind: string) => ({ where: { jobId: job.id, kind } });
    await prisma.stage.updateMany({ ...stagesOfKind("partition"), data: { startedAt, finishedAt: trainingAt } });
    await prisma.stage.updateMany({ ...stagesOfKind("train"), data: { startedAt: trainingAt, finishedAt } });
    await prisma.job.update({ where: { id: job.id }, data: { state: "SUCCEEDED", startedAt, finishedAt } });
  }
});
