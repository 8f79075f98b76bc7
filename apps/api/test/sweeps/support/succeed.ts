import { changeJob } from "../../../src/job-state/job-store.ts";
import type { TestApp } from "../../support/start-app.ts";

const owner = { projectId: "default", createdBy: "admin" };

/** Ends a job as a worker would have: its model is there, with these figures. */
export async function succeed(app: TestApp, jobId: string, validation: number, test: number): Promise<void> {
  const { prisma } = app.services;
  const id = `art_model_${jobId}`;
  const info = {
    model: { type: "sage", options: {} },
    metrics: { "test/accuracy": test, "val/accuracy": validation },
    epochs: 4,
  };
  const blobs = [{ name: "model.safetensors", bytes: 8, sha256: "2".repeat(64) }];
  const row = { id, ...owner, jobId, kind: "model", prefix: jobId, digest: "1".repeat(64), bytes: 8n, info, blobs };
  await prisma.artifact.create({ data: row });
  const at = new Date();
  await changeJob(prisma, jobId, (run) => {
    const stage = run.stages.find(({ kind }) => kind === "train");
    if (!stage) throw new Error("The job has no stage that trains.");
    run.changeStage(stage, { state: "SUCCEEDED", outputId: id, finishedAt: at });
    run.changeJob({ state: "SUCCEEDED", finishedAt: at });
    run.record({ type: "JobStateChanged", body: { state: "SUCCEEDED", problem: null } }, at);
  });
}
