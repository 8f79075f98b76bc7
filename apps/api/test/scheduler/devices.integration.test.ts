import { expect, it, vi } from "vitest";
import { cancelJob } from "../../src/jobs/cancel-job.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { type Script, succeedAtOnce } from "./support/scripted-worker.ts";
import { waitOptions } from "./support/story.ts";

const onCuda = (ranks = 1) => ({ resources: { device: "cuda", ranks } });

describeInWorld("jobs whose ranks get devices of their own", (world) => {
  const submit = (scheduler: ReturnType<ReturnType<typeof world>["startScheduler"]>, ranks?: number) =>
    submitJob(world().services(scheduler), world().viewer, world().spec(onCuda(ranks)));
  const waits = (jobId: string, reason: RegExp) =>
    vi.waitFor(async () => {
      const { waitReason } = await world().prisma.job.findUniqueOrThrow({ where: { id: jobId } });
      expect(waitReason).toMatch(reason);
    }, waitOptions);

  it("never share one: the second waits, says for which, and begins when the first is cancelled", async () => {
    const scheduler = world().startScheduler();
    const held = gate();
    const script: Script = async (stage) => {
      if (stage.task.step !== "train" || stage.task.jobId !== first.id) return stage.succeed();
      await held.pass();
      await stage.stopped;
      await stage.emit({ type: "stageCancelled" });
    };
    const worker = world().startWorker(script, { device: "cuda", devices: ["GPU-a", "GPU-b"] });
    const first = await submit(scheduler, 2);
    await held.arrived;
    const trained = (jobId: string) => worker.tasks.find((task) => task.step === "train" && task.jobId === jobId);
    expect(trained(first.id)).toMatchObject({ device: "cuda", slice: { devices: ["GPU-a", "GPU-b"] } });
    const second = await submit(scheduler);
    await waits(
      second.id,
      /^A free device is needed.*host-of-w1 0 of 2 × test are free; in use: 0 \(GPU-a\), 1 \(GPU-b\)/,
    );
    held.open();
    await cancelJob(world().services(scheduler), world().viewer, first.id);
    await world().reach(scheduler, second.id, "SUCCEEDED");
    expect(trained(second.id)?.slice.devices).toEqual(["GPU-a"]);
    // Steps that compute nothing take none.
    expect(worker.tasks.find(({ step }) => step === "partition")?.slice.devices).toEqual([]);
  });

  it("get a device back that a killed worker held, and none that another worker of the host announces too", async () => {
    const scheduler = world().startScheduler();
    const held = gate();
    const hang: Script = async (stage) => {
      if (stage.task.step !== "train") return stage.succeed();
      await held.pass();
      await new Promise(() => {});
    };
    const dying = world().startWorker(hang, { id: "dying", device: "cuda", devices: ["GPU-a"] });
    const first = await submit(scheduler);
    await held.arrived;
    const heir = world().startWorker(succeedAtOnce, { id: "heir", device: "cuda", devices: ["GPU-a"] });
    const second = await submit(scheduler);
    await waits(second.id, /A free device is needed.*in use: 0 \(GPU-a\)/);
    expect(heir.tasks.filter(({ device }) => device === "cuda")).toEqual([]);
    await dying.die();
    for (const { id } of [first, second]) await world().reach(scheduler, id, "SUCCEEDED");
    const given = heir.tasks.filter(({ step }) => step === "train").map(({ slice }) => slice.devices);
    expect(given).toEqual([["GPU-a"], ["GPU-a"]]);
  });
});
