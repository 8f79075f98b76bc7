/** A thousand steps of GraphSAGE with three layers: what one costs beside its arithmetic, and whether memory stays. */
import { activeCuda } from "../../../packages/gnn-core/src/backends/active-cuda.ts";
import type { CudaBackend } from "../../../packages/gnn-core/src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { stepsOfSage } from "../../../packages/gnn-core/test/train/support/steps-of-sage.ts";
import { device, isSmall, rounded, tell } from "./arguments.ts";

const numSteps = isSmall ? 20 : 1000;
const numWarm = isSmall ? 20 : 100;
const mostLaunches = 40;
await selectBackend("cuda", device);
const { addon } = activeCuda() as CudaBackend;
const { step, bucket, dispose } = await stepsOfSage();
for (let i = 0; i < numWarm; i++) await step(i);
await bucket.pendingSums();
addon.synchronize();
const before = addon.deviceCounters();
const startedAt = performance.now();
for (let i = numWarm; i < numWarm + numSteps; i++) await step(i);
const after = addon.deviceCounters();
await bucket.pendingSums();
const millisecondsEach = (performance.now() - startedAt) / numSteps;
// What a step has given back is free when the device has done with it.
addon.synchronize();
const leakedBytes = addon.deviceCounters().takenBytes - before.takenBytes;
const launches = (after.launches - before.launches) / numSteps;
const waits = after.synchronizations - before.synchronizations + after.downloads - before.downloads;
tell({ steps: numSteps, millisecondsEach: rounded(millisecondsEach), launches, waits, leakedBytes });
dispose();
process.exitCode = leakedBytes === 0 && waits === 0 && launches <= mostLaunches ? 0 : 1;
