import type { ScriptedStage } from "./scripted-worker.ts";

/** Trains `epochs` epochs with a metric, a log line and a checkpoint each, from the checkpoint on when there is one. */
export async function train(stage: ScriptedStage, epochs: number): Promise<void> {
  const from = Number(/-checkpoint-(\d+)-/.exec(stage.task.resume?.id ?? "")?.[1] ?? 0);
  for (let epoch = from + 1; epoch <= epochs; epoch++) {
    await stage.metric("train/loss", epoch, 1 / epoch);
    await stage.log(`epoch ${epoch}`);
    await stage.checkpoint(epoch);
  }
  await stage.succeed();
}
