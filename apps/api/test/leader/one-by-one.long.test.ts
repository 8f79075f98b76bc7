import { expect, it, vi } from "vitest";
import { Prisma } from "../../src/generated/prisma/client.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { describeInWorld } from "../scheduler/support/describe-in-world.ts";
import { gate } from "../scheduler/support/gate.ts";
import { succeedAtOnce } from "../scheduler/support/scripted-worker.ts";
import { seedDataset } from "../scheduler/support/seed-dataset.ts";
import { waitOptions } from "../scheduler/support/story.ts";

describeInWorld("a job that the scheduler cannot move on", (world) => {
  const submit = () => submitJob(world().services(), world().viewer, world().spec());
  const specOf = async (id: string) => (await world().prisma.job.findUniqueOrThrow({ where: { id } })).spec;
  const stateOf = async (id: string) => (await world().prisma.job.findUniqueOrThrow({ where: { id } })).state;
  const setSpec = (id: string, spec: Prisma.JsonValue) =>
    world().prisma.job.update({ where: { id }, data: { spec: spec ?? Prisma.JsonNull } });

  it("while it waits holds up none behind it, and goes on once it can be", async () => {
    const first = await submit();
    const spec = await specOf(first.id);
    await setSpec(first.id, null); // as an operator's hand or another version might leave it
    const second = await submit();
    const scheduler = world().startScheduler();
    world().startWorker(succeedAtOnce);
    await world().reach(scheduler, second.id, "SUCCEEDED");
    expect(await stateOf(first.id)).toBe("QUEUED");
    await setSpec(first.id, spec);
    await world().reach(scheduler, first.id, "SUCCEEDED");
  });

  it("while it runs holds up none behind it, and ends once it can be", async () => {
    const scheduler = world().startScheduler();
    const hold = gate();
    const first = await submit();
    world().startWorker(async (stage) => {
      if (stage.task.jobId === first.id && stage.task.step === "train") await hold.pass();
      await stage.succeed();
    });
    await hold.arrived;
    await vi.waitFor(async () => expect(await stateOf(first.id)).toBe("RUNNING"), waitOptions);
    const spec = await specOf(first.id);
    await setSpec(first.id, null);
    const second = await submit();
    await world().reach(scheduler, second.id, "SUCCEEDED");
    await setSpec(first.id, spec);
    hold.open();
    await world().reach(scheduler, first.id, "SUCCEEDED");
  });

  it("because its damaged graph cannot be made again ends, and holds up none behind it", async () => {
    const { prisma, versionId } = world();
    const first = await submit();
    const { graphId } = await prisma.datasetVersion.findUniqueOrThrow({ where: { id: versionId } });
    const damage = [{ blob: "graph/indptr.npy", found: "other bytes" }];
    await prisma.artifactCheck.create({ data: { artifactId: graphId ?? "", checkedAt: new Date(), damage } });
    await prisma.datasetVersion.update({ where: { id: versionId }, data: { createdBy: "nobody" } });
    const other = await seedDataset(prisma);
    const spec = world().spec({ dataset: other.datasetId, project: other.projectId });
    const second = await submitJob(world().services(), { ...world().viewer, projectId: other.projectId }, spec);
    const scheduler = world().startScheduler({ integrity: await world().openIntegrity() });
    world().startWorker(succeedAtOnce);
    await world().reach(scheduler, second.id, "SUCCEEDED");
    await world().reach(scheduler, first.id, "FAILED");
    const { problem } = await prisma.job.findUniqueOrThrow({ where: { id: first.id } });
    expect(problem).toMatchObject({ code: "ARTIFACT_DAMAGED" });
  });
});
