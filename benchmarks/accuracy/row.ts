import type { z } from "zod";
import type { DatasetSpecInput, splitOptions, TrainerOptions } from "../../packages/gnn-core/src/index.ts";
import type { DatasetName } from "../../packages/gnn-core/test/support/real-datasets.ts";

/** What a row is judged by, on what is held out; each is a share in [0, 1] */
export type Metric =
  | "accuracy"
  | "macroF1"
  | "rocAuc"
  | "microF1"
  | "probeAccuracy"
  | "auc"
  | "filteredMrr"
  | "recall@20"
  | "ndcg@20";

/** What the mean over the seeds must reach; shares, not points */
export type Aim =
  | { readonly atLeast: number }
  /** No more than this below the mean of another row */
  | { readonly within: number; readonly of: string }
  /** So much above the best of these: rows, or what is told without learning (`untaught`) */
  | { readonly above: number; readonly baselines: readonly string[] };

/** Files of a data set that are no list of edges with a table of nodes, and what each holds, as a user maps them. */
export interface Tables {
  /** Folder of the data set */
  readonly name: string;
  /** Files that are taken as they are; `../other/file` names one of another data set */
  readonly files: readonly string[];
  /** Tables that are made of what the folder has */
  readonly make?: (folder: string) => Promise<Readonly<Record<string, string | Uint8Array>>>;
  readonly spec: (seed: number) => DatasetSpecInput;
}

/** One line of the table: a model on a data set, trained once per seed. */
export interface Row {
  readonly name: string;
  /**
   * A data set, a small graph for trying out, a shape of `graphShapes` at a fiftieth of its size, or links with stored
   * pairs
   */
  readonly data: DatasetName | "generated" | "reddit-shaped" | "cora-lp" | Tables;
  readonly metric: Metric;
  /** null: a baseline, which is only compared with */
  readonly aim: Aim | null;
  /** What the same trainings are held to as well */
  readonly also?: { readonly metric: Metric; readonly aim: Aim };
  /** Sections of a job spec; `train.seed` is the benchmark's */
  readonly spec: TrainerOptions;
  /** Sections of each seed in place of `spec`, where a protocol chooses settings for each fold */
  readonly specOf?: (seed: number) => TrainerOptions;
  /**
   * What is judged: the weights that validation chose, or by `meanCurve` the one epoch in which what is held out has
   * the best mean over all seeds. Default: validation
   */
  readonly judgedBy?: "validation" | "meanCurve";
  /** Split of the partition step. Default: the column `split` of the data set */
  readonly split?: z.input<typeof splitOptions>;
  /** Column with the split of each seed, for data sets with several published splits */
  readonly splitColumn?: (seed: number) => string;
}

/** A row as it is trained with a seed. */
export function rowOfSeed(row: Row, seed: number): Row {
  return row.specOf ? { ...row, spec: row.specOf(seed) } : row;
}

/** The other rows that a row is measured by. */
export function referencesOf({ aim }: Row): readonly string[] {
  if (aim === null || "atLeast" in aim) return [];
  return "of" in aim ? [aim.of] : aim.baselines.filter((name) => !untaught.has(name));
}

/** Every node gets the labels that are most frequent (baselines.ts) */
export const frequency = "frequency";
/** How many neighbours the ends of a pair have in common (common-neighbors.ts) */
export const commonNeighbors = "commonNeighbors";

/** Baselines that are no rows, by what they are called */
export const untaught: ReadonlyMap<string, string> = new Map([
  [frequency, "the most frequent labels"],
  [commonNeighbors, "common neighbours"],
]);

export function dataNameOf(data: Row["data"]): string {
  return typeof data === "object" ? data.name : data;
}
