import { Trainer, type TrainerOptions } from "../../packages/gnn-core/src/index.ts";
import type { LoadedData } from "./load-data.ts";
import type { Row } from "./row.ts";
import { runSteps } from "./run-steps.ts";
import { runStoredLinks } from "./run-stored-links.ts";

export interface RunOptions {
  readonly threads: number;
  /** Instead of the row's own number */
  readonly epochs: number | null;
}

/** One training: metrics of the weights that validation chose. */
export interface Run {
  readonly test: number;
  readonly val: number | null;
  /** All metrics of the test nodes */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly epochs: number;
  readonly cpuSeconds: number;
}

/** Trains a row with one seed, on as many threads as asked for; how many never changes a result. */
export async function runRow(row: Row, seed: number, loaded: LoadedData, options: RunOptions): Promise<Run> {
  if (row.data === "cora-lp") return runStoredLinks(row, seed, loaded.datasets, options);
  if (typeof row.data === "object") return runSteps(row, row.data, seed, loaded.tables, options);
  const data = await loaded.of(row, seed);
  return fitted(row, { data, options: { ...row.spec, train: trainOf(row, seed, options) }, threads: options.threads });
}

/** The section `train` of a row with the benchmark's seed */
export function trainOf({ spec }: Row, seed: number, { epochs }: RunOptions): TrainerOptions["train"] {
  return { ...spec.train, seed, ...(epochs !== null && { epochs }) };
}

/** Trains, and takes the metrics of the weights that validation chose. */
export async function fitted(row: Row, setup: Parameters<typeof Trainer.create>[0]): Promise<Run> {
  const before = process.cpuUsage();
  const trainer = await Trainer.create(setup);
  try {
    const { metrics, epochs } = await trainer.fit();
    const { user, system } = process.cpuUsage(before);
    return runOf(row, metrics, epochs, (user + system) / 1e6);
  } finally {
    trainer.dispose();
  }
}

/** @throws Error of a row whose metric the task does not count */
export function runOf(
  { name, metric }: Row,
  metrics: Readonly<Record<string, number | null>>,
  epochs: number,
  cpuSeconds: number,
): Run {
  const test = metrics[`test/${metric}`];
  if (test == null) throw new Error(`${name}: no test/${metric} among ${Object.keys(metrics).join(", ")}.`);
  const ofTest = Object.entries(metrics).filter(([each]) => each.startsWith("test/"));
  return { test, val: metrics[`val/${metric}`] ?? null, metrics: Object.fromEntries(ofTest), epochs, cpuSeconds };
}
