import type { z } from "zod";
import type { trainStepOptions } from "../train-options.ts";
import type { SituationName } from "./situations.ts";

/**
 * What a preset sets; what it leaves out keeps the job spec's default. A task is named where the settings suit no other
 * one; its options say how it is learnt.
 */
export type PresetSections = Omit<z.input<typeof trainStepOptions>, "task" | "samplerThreads"> & {
  readonly task?: { readonly type?: string; readonly [option: string]: unknown };
};

/** Settings that work in a situation: sections of a job spec, to be laid over its defaults. */
export interface JobPreset {
  /** `situation-model`, such as few-labels-gcn; `embed`, `node2vec` and `fastRp`, which suit any graph */
  readonly name: string;
  readonly situation: SituationName;
  /** What it trains, a name among the models of the catalogue */
  readonly model: string;
  readonly title: string;
  readonly summary: string;
  readonly spec: PresetSections;
}

/**
 * The presets of one situation by their models; the first one is proposed. A model of several presets is named with
 * what they differ in: `sage-mlp`.
 */
export function presetsOf(
  situation: SituationName,
  title: string,
  models: Readonly<Record<string, Pick<JobPreset, "summary" | "spec"> & { readonly title: string }>>,
): readonly JobPreset[] {
  return Object.entries(models).map(([name, { title: modelTitle, summary, spec }]) => ({
    name: `${situation}-${name}`,
    situation,
    model: spec.model?.type ?? name,
    title: `${title}, ${modelTitle}`,
    summary,
    spec,
  }));
}

export const wholeNeighborhoods = { type: "full", options: {} } as const;

export function adam(lr: number, weightDecay: number) {
  return { type: "adam", options: { lr, weightDecay } } as const;
}
