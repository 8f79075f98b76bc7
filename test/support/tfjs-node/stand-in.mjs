import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const tf = require("@tensorflow/tfjs-core");
const { MathBackendCPU } = require("@tensorflow/tfjs-backend-cpu");

/**
 * In place of @tensorflow/tfjs-node and tfjs-node-gpu, whose library cannot be downloaded everywhere: a backend
 * `tensorflow` that has kernels of their names and no others, computed by tfjs' own. Importing it registers it, as
 * importing them does. STAND_IN_USES_GPU=1: it says that it computes on a GPU.
 */
class StandIn extends MathBackendCPU {
  isUsingGpuDevice = process.env.STAND_IN_USES_GPU === "1";
}

const { kernels } = JSON.parse(readFileSync(new URL("./kernels.json", import.meta.url), "utf8"));
/** Names of the kernels that were called. */
export const calledKernels = new Set();

for (const { kernelName, kernelFunc, ...config } of tf.getKernelsForBackend("cpu")) {
  if (!kernels.includes(kernelName)) continue;
  const counted = (given) => {
    calledKernels.add(kernelName);
    return kernelFunc(given);
  };
  tf.registerKernel({ ...config, kernelName, kernelFunc: counted, backendName: "tensorflow" });
}
tf.registerBackend("tensorflow", () => new StandIn(), 3);
await tf.setBackend("tensorflow");
