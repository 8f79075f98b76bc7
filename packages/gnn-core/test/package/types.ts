// Compiled against the installed package: its declarations find each other, and zod's and TensorFlow.js's.
import { type GnnModel, type Trainer, type TrainerOptions, trainInWorker } from "@hopwise/gnn-core";
import { estimateJob } from "@hopwise/gnn-core/estimate";
import { jobPresets } from "@hopwise/gnn-core/spec";

export const options: TrainerOptions = { model: { type: "sage" }, train: { epochs: 3 } };
export const presets: readonly { readonly name: string }[] = jobPresets;
export const modelOf = (trainer: Trainer): GnnModel => trainer.model;
export const estimate: (...input: never[]) => unknown = estimateJob;

// @ts-expect-error epochs are a number
export const wrong: TrainerOptions = { train: { epochs: "3" } };
// @ts-expect-error a number is no training
export const training = (): Promise<unknown> => trainInWorker(5);
