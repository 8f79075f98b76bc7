import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { points } from "../../src/dist/points.ts";

/** What the host has waited for on its device so far, noted at the beginning of each step. */
export async function waitsOfSteps(train: () => Promise<unknown>): Promise<number[]> {
  const { addon } = activeCuda() as CudaBackend;
  const seen: number[] = [];
  const note = () => {
    const { synchronizations, downloads } = addon.deviceCounters();
    seen.push((activeCuda() as CudaBackend).readBacks + synchronizations + downloads);
  };
  points.sampled.subscribe(note);
  try {
    await train();
  } finally {
    points.sampled.unsubscribe(note);
  }
  return seen;
}
