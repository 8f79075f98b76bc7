import nodeUtil from "node:util";
import { GnnError } from "../errors/gnn-error.ts";
import { findBackend } from "./tf.ts";

/** What TensorFlow is to compute on. */
export type TensorflowDevice = "gpu" | "cpu";

const packages: Readonly<Record<TensorflowDevice, readonly string[]>> = {
  gpu: ["@tensorflow/tfjs-node-gpu"],
  cpu: ["@tensorflow/tfjs-node", "@tensorflow/tfjs-node-gpu"],
};
const version = "4.22.0";
const guide = "docs/guides/gpu.md";

/**
 * Imports the package that computes on the device, which registers the backend `tensorflow` in the tfjs-core that we
 * share with it, and asks the backend whether it really does.
 *
 * @throws GnnError DEVICE_NOT_AVAILABLE
 */
export async function loadTensorflow(device: TensorflowDevice): Promise<void> {
  if (!("isNullOrUndefined" in nodeUtil)) {
    throw unavailable(
      `The packages of TensorFlow.js ${version} for Node call util.isNullOrUndefined, which Node ${process.versions.node} has no more; run this worker on Node 20, or choose the backend native.`,
    );
  }
  await importFirst(packages[device]);
  const found = findBackend("tensorflow") as { isUsingGpuDevice?: boolean } | null;
  const isUsingGpuDevice = found?.isUsingGpuDevice === true;
  if (device === "gpu" && !isUsingGpuDevice) {
    throw unavailable(
      `TensorFlow has found no GPU that it can use and would compute on the CPU: it needs an NVIDIA driver, CUDA 11.2 and cuDNN 8.1 (${guide}). Ask for the CPU with HOPWISE_TENSORFLOW_DEVICE=cpu, or choose the backend native, which is faster there.`,
    );
  }
  if (device === "cpu" && isUsingGpuDevice) {
    throw unavailable(
      "TensorFlow computes on a GPU, and its CPU was asked for: set HOPWISE_TENSORFLOW_DEVICE=gpu, or hide the GPU with CUDA_VISIBLE_DEVICES=-1.",
    );
  }
}

async function importFirst(names: readonly string[]): Promise<void> {
  const causes: unknown[] = [];
  for (const name of names) {
    try {
      // Not literal, as neither need be installed: types and bundlers must not look for them.
      await import(name);
      return;
    } catch (cause) {
      causes.push(cause);
    }
  }
  const found = causes.map((cause) => (cause instanceof Error ? cause.message : String(cause)).split("\n")[0]);
  throw unavailable(
    `The backend tensorflow needs ${names.join(" or ")} ${version} beside gnn-core, and none can be loaded: ${found.join("; ")}. npm install it as ${guide} says, or choose the backend native.`,
    new AggregateError(causes),
  );
}

function unavailable(message: string, cause?: unknown): GnnError {
  return new GnnError("DEVICE_NOT_AVAILABLE", message, { cause });
}
