import { activeCuda } from "../../packages/gnn-core/src/backends/active-cuda.ts";
import type { StepEvent } from "../../packages/gnn-core/src/index.ts";
import { percent } from "./report.ts";
import type { Row } from "./row.ts";

/** Tells what each evaluation found on stderr, so that a training that is cut off has said how far it came. */
export function tellProgress({ name, metric }: Row, seed: number): (event: StepEvent) => void {
  const startedAt = performance.now();
  let loss: number | null = null;
  let toldAt = startedAt;
  return (event) => {
    if (event.type !== "metrics" || event.axis !== "epoch") return;
    loss = event.values["train/loss"] ?? loss;
    const val = event.values[`val/${metric}`] ?? null;
    if (val === null && performance.now() - toldAt < 10_000) return;
    toldAt = performance.now();
    const seconds = ((toldAt - startedAt) / 1000).toFixed(1);
    const figures = [loss === null ? "" : `loss ${loss.toFixed(4)}`, val === null ? "" : `val ${percent(val)}`];
    process.stderr.write(
      `  ${name} seed ${seed}, epoch ${event.step}, ${seconds} s: ${figures.filter(Boolean).join(", ")}\n`,
    );
  };
}

/** Tells what a training had the device do, and which kernels it has not: those run on the host, which waits. */
export function tellDeviceWork({ name }: Row, seed: number): void {
  const cuda = activeCuda();
  if (!cuda) return;
  const { launches, synchronizations, uploads } = cuda.addon.deviceCounters();
  const onHost = Array.from(cuda.scriptKernels, ([kernel, times]) => `${kernel} ${times}×`).join(", ") || "nothing";
  process.stderr.write(
    `  ${name} seed ${seed}: ${launches} kernels, ${synchronizations} waits, ${uploads} uploads; on the host: ${onHost}\n`,
  );
}
