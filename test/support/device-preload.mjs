// Loaded into every process of a stack by `DeviceTrace`: notes which device a training rank computes on, and loses the
// emulated device of the first one that writes a checkpoint while the plan is there.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const dir = process.env.HOPWISE_TEST_DEVICES;
const addon = new URL("../../packages/gnn-core/build/hopwise-cuda-emulated.node", import.meta.url).pathname;
/** Kernels and copies until the device is lost: it is in the middle of the step behind the checkpoint. */
const piecesUntilLoss = 20;

subscribe("hopwise:checkpoint-write", ({ epoch }) => {
  // As the worker starts its ranks: apps/gpu-worker/src/ranks/rank-process.ts.
  const { device } = JSON.parse(process.argv[2]);
  appendFileSync(join(dir, "trace"), `${JSON.stringify({ device, pid: process.pid, epoch })}\n`);
  try {
    renameSync(join(dir, "lose"), join(dir, "lost"));
  } catch {
    return; // nobody is to lose one
  }
  createRequire(import.meta.url)(addon).loseEmulatedDeviceAfter(piecesUntilLoss);
});
