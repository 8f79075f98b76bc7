import type { SparseSpec } from "./job-form.ts";

export interface Preset {
  readonly name: string;
  readonly situation: string;
  readonly title: string;
  readonly summary: string;
  readonly spec: SparseSpec;
}

/** What the API proposes for a dataset. */
export interface Proposal {
  /** Id of the dataset */
  readonly dataset: string;
  readonly reason: string;
  readonly preset: Preset;
  readonly others: readonly Preset[];
}

/** The sections that presets set, as the form calls them. */
const presetSections: Readonly<Record<string, string>> = {
  model: "Model",
  sampling: "Sampler",
  train: "Training",
  features: "Features",
};

/**
 * Starts anew from a preset: its sections are replaced whole, all others stay. The task that some name depends on the
 * dataset and stays too.
 */
export function withPreset(spec: SparseSpec, preset: SparseSpec): SparseSpec {
  const { task: _, ...sections } = preset;
  const kept = Object.entries(spec).filter(([section]) => !Object.hasOwn(presetSections, section));
  return { ...Object.fromEntries(kept), ...sections };
}

/** What a preset says of how its task is learnt, without which one it is. */
export function optionsOfTask(preset: SparseSpec): SparseSpec {
  const { type: _, ...options } = (preset["task"] ?? {}) as SparseSpec;
  return options;
}

/** Sections that were changed since the form started from a preset; to start from another would lose them. */
export function editedSections(spec: SparseSpec, preset: SparseSpec): readonly string[] {
  return Object.entries(presetSections)
    .filter(([section]) => inOrder(spec[section]) !== inOrder(preset[section]))
    .map(([, title]) => title);
}

/** Writes equal values as equal texts, whatever the order of their names; what is empty says nothing. */
export function inOrder(value: unknown): string | undefined {
  return JSON.stringify(value, (_name, part: unknown) => (isRecord(part) ? withoutEmpty(part) : part));
}

function withoutEmpty(record: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const said = Object.entries(record).filter(([, part]) => !isRecord(part) || Object.keys(part).length > 0);
  return Object.fromEntries(said.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
