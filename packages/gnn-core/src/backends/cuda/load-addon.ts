import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { GnnError } from "../../errors/gnn-error.ts";
import type { CudaAddon } from "./addon.ts";

/** `gpu`: an NVIDIA GPU. `emulated`: its kernels in an emulation on the processor, for tests; too slow for more. */
export type CudaDevice = "gpu" | "emulated";

/** The kernels for GPUs, compiled; it comes in the engine's versions. */
const gpuPackage = "@hopwise/cuda-linux-x64";
const require = createRequire(import.meta.url);
const { version: engineVersion } = require("../../../package.json") as { readonly version: string };

/**
 * The library for a device: that which was built here lies beside the native one; kernels for GPUs may come in a
 * package of their own instead.
 *
 * @throws GnnError NATIVE_NOT_BUILT when there is none, when it is another version's, or when it cannot be loaded
 */
export function loadCudaAddon(device: CudaDevice): CudaAddon {
  return device === "gpu" ? loadGpu() : load(builtHere("hopwise-cuda-emulated.node"), "run script/build-cuda");
}

function loadGpu(): CudaAddon {
  const built = builtHere("hopwise-cuda.node");
  const advice = `install ${gpuPackage}@${engineVersion}, or run script/build-cuda --gpu where nvcc is`;
  if (existsSync(built)) return load(built, advice);
  const version = installedVersion();
  if (version === null) throw notBuilt(`There are no kernels for GPUs here: no ${built}, and no package; ${advice}.`);
  if (version === engineVersion) return load(require.resolve(gpuPackage), advice);
  throw notBuilt(`${gpuPackage} is of version ${version}, the engine of ${engineVersion}; ${advice}.`);
}

/** Null when the package is not installed. */
function installedVersion(): string | null {
  try {
    return (require(`${gpuPackage}/package.json`) as { readonly version: string }).version;
  } catch {
    return null;
  }
}

function builtHere(file: string): string {
  return fileURLToPath(new URL(`../../../build/${file}`, import.meta.url));
}

function load(path: string, advice: string): CudaAddon {
  try {
    return require(path) as CudaAddon;
  } catch (cause) {
    throw notBuilt(`The library ${path} cannot be loaded (${(cause as Error).message}); ${advice}.`, cause);
  }
}

function notBuilt(message: string, cause?: unknown): GnnError {
  return new GnnError("NATIVE_NOT_BUILT", message, { cause });
}
