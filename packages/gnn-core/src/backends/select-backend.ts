import { GnnError } from "../errors/gnn-error.ts";

/** `native`: our kernels. `cpu`: tfjs' own, slow, the tests' oracle. `tensorflow`: tfjs-node-gpu or tfjs-node. */
export type BackendName = "native" | "cpu" | "tensorflow";

/**
 * Makes a backend the active one of this thread. One process trains on one backend.
 *
 * @throws GnnError NATIVE_NOT_BUILT, DEVICE_NOT_AVAILABLE
 */
export async function selectBackend(name: BackendName): Promise<void> {
  // Loaded on demand: tfjs takes half a second, and a rank that only moves files computes nothing.
  const { loadCpuBackend, setBackend } = await import("./tf.ts");
  if (name === "cpu") loadCpuBackend();
  if (name === "native") (await import("./native/register.ts")).registerNativeBackend();
  if (name === "tensorflow") await importTensorflow();
  if (!(await setBackend(name))) {
    throw new GnnError("DEVICE_NOT_AVAILABLE", `The backend "${name}" did not start; choose native instead.`);
  }
}

/** Importing either package registers the backend `tensorflow` in the tfjs-core that we share with it. */
async function importTensorflow(): Promise<void> {
  const causes: unknown[] = [];
  // Not literal, as neither is a dependency: types and bundlers must not look for them.
  for (const name of ["@tensorflow/tfjs-node-gpu", "@tensorflow/tfjs-node"]) {
    try {
      await import(name);
      return;
    } catch (cause) {
      causes.push(cause);
    }
  }
  throw new GnnError(
    "DEVICE_NOT_AVAILABLE",
    "The backend tensorflow needs @tensorflow/tfjs-node-gpu 4.22.0 (CUDA 11.2, cuDNN 8.1) or @tensorflow/tfjs-node " +
      "4.22.0 beside gnn-core; npm install one of them, or choose the backend native.",
    { cause: new AggregateError(causes) },
  );
}
