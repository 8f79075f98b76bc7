import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineStep, GnnError } from "@hopwise/gnn-core/spec";
import { z } from "zod";

const options = z.strictObject({
  mode: z
    .enum(["succeed", "gnnError", "loseDevice", "throw", "exit", "hang", "block", "exhaust", "allReduce", "endless"])
    .default("succeed"),
  /** Metrics and checkpoints are told this often before the end. */
  epochs: z.number().int().default(0),
  checkpoint: z.boolean().default(false),
  /** The step goes on when this file exists. */
  gate: z.string().nullable().default(null),
});

/** Does to the worker whatever a test wants a step to do. */
async function run({
  options: { mode, epochs, checkpoint, gate },
  outDir,
  scratchDir,
  rank,
  resume,
  onEvent,
  signal,
  endSignal,
  inputs,
}) {
  if (mode === "gnnError") {
    throw new GnnError("DATASET_ROW_INVALID", "Row 7 has 2 columns, expected 3.", {
      place: { file: "e.csv", line: 7 },
    });
  }
  if (mode === "loseDevice") throw new GnnError("DEVICE_LOST", "The device has fallen off the bus.");
  if (mode === "throw") throw new TypeError("password=hunter2");
  if (mode === "exit") process.exit(7);
  for (let epoch = 1; epoch <= epochs; epoch++) {
    onEvent({ type: "progress", phase: "epochs", completed: epoch, total: epochs, unit: "epochs" });
    if (rank.rank > 0) continue;
    onEvent({ type: "metrics", axis: "epoch", step: epoch, values: { "train/loss": 1 / epoch } });
    if (checkpoint) await saveCheckpoint(scratchDir, epoch, onEvent);
  }
  const sums = Float32Array.of(rank.rank + 1, 10);
  if (mode === "allReduce") await rank.collective.allReduceSum(sums);
  // A training goes on until it is told to end.
  const isShut = () => (mode === "endless" ? !endSignal.aborted : gate !== null && !existsSync(gate));
  while (isShut()) {
    if (signal.aborted) throw signal.reason;
    onEvent({ type: "progress", phase: "gate", completed: 0, total: null, unit: "looks" });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (mode === "hang") await new Promise(() => setInterval(() => undefined, 1000));
  if (mode === "block") for (;;); // as native code that never returns
  if (mode === "exhaust") for (const held = []; ; ) held.push(Buffer.alloc(2 ** 24, 1));
  if (rank.rank > 0) return null;
  await writeFile(join(outDir, "sums.json"), JSON.stringify([...sums]));
  const seen = process.env.CUDA_VISIBLE_DEVICES ?? null;
  const info = {
    worldSize: rank.worldSize,
    ended: endSignal.aborted,
    device: rank.device,
    seen,
    resumed: resume?.manifest.info.epoch ?? null,
    inputs: Object.keys(inputs),
  };
  return { info, blobs: [{ name: "sums.json" }] };
}

async function saveCheckpoint(scratchDir, epoch, onEvent) {
  const dir = join(scratchDir, `checkpoint-${epoch}`);
  await mkdir(join(dir, "deep"), { recursive: true });
  await writeFile(join(dir, "deep", "weights.bin"), `weights of epoch ${epoch}`);
  onEvent({ type: "checkpoint", dir, epoch, step: epoch, metrics: {}, info: { epoch } });
}

export const probeStep = defineStep({
  name: "probe",
  version: 1,
  title: "Probe",
  summary: "Fails, hangs or succeeds as it is told.",
  options,
  inputs: [],
  output: "probed",
  ranks: "all",
  run,
});
