import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";

/** The kernels for GPUs run in the emulation: no GPU is needed, and none is used. */
export const emulated: BackendOptions = { cudaDevice: "emulated" };

/**
 * For a file whose tests compute on the emulated device: builds it before them, and leaves the usual backend behind, as
 * the next file in this process would else compute on it, too, some hundred times slower.
 */
export function useEmulatedDevice(): void {
  beforeAll(() => buildEmulated(), 600_000);
  afterAll(() => selectBackend("native"));
}

/** Compiles what has changed. The first time on a machine takes about a minute of a processor. */
export function buildEmulated(...options: readonly string[]): void {
  execFileSync(fileURLToPath(new URL("../../../../script/build-cuda", import.meta.url)), options);
}
