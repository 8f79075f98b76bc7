import type { z } from "zod";
import type { splitOptions, TrainerOptions } from "../../packages/gnn-core/src/index.ts";
import type { DatasetName } from "../../packages/gnn-core/test/support/real-datasets.ts";

/** What a row is judged by, on test nodes; each is a share in [0, 1] */
export type Metric = "accuracy" | "rocAuc" | "microF1" | "probeAccuracy";

/** What the mean over the seeds must reach; shares, not points */
export type Aim =
  | { readonly atLeast: number }
  /** No more than this below the mean of another row */
  | { readonly within: number; readonly of: string }
  /** So much above the best of these: rows, or "frequency", the same labels for every node (baselines.ts) */
  | { readonly above: number; readonly baselines: readonly string[] };

/** One line of the table: a model on a data set, trained once per seed. */
export interface Row {
  readonly name: string;
  /** A data set, a small graph for trying out, or a shape of `graphShapes` at a fiftieth of its size */
  readonly data: DatasetName | "generated" | "reddit-shaped";
  readonly metric: Metric;
  /** null: a baseline, which is only compared with */
  readonly aim: Aim | null;
  /** Sections of a job spec; `train.seed` is the benchmark's */
  readonly spec: TrainerOptions;
  /** Split of the partition step. Default: the column `split` of the data set */
  readonly split?: z.input<typeof splitOptions>;
  /** Column with the split of each seed, for data sets with several published splits */
  readonly splitColumn?: (seed: number) => string;
}

/** The other rows that a row is measured by. */
export function referencesOf({ aim }: Row): readonly string[] {
  if (aim === null || "atLeast" in aim) return [];
  return "of" in aim ? [aim.of] : aim.baselines.filter((name) => name !== frequency);
}

export const frequency = "frequency";
