import { activeCuda } from "../../packages/gnn-core/src/backends/active-cuda.ts";
import { type StepEvent, Trainer, type TrainerOptions } from "../../packages/gnn-core/src/index.ts";
import type { LoadedData } from "./load-data.ts";
import { type Row, rowOfSeed } from "./row.ts";
import { runSteps } from "./run-steps.ts";
import { runStoredLinks } from "./run-stored-links.ts";

export interface RunOptions {
  readonly threads: number;
  /** Instead of the row's own number */
  readonly epochs: number | null;
  /** Told what a training tells; left out: nobody is */
  readonly onEvent?: (event: StepEvent) => void;
}

/** One training: metrics of the weights that validation chose. */
export interface Run {
  readonly test: number;
  readonly val: number | null;
  /** All metrics of the test nodes */
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly epochs: number;
  readonly cpuSeconds: number;
  /** The metric of what is held out after each epoch, of rows that are judged by it */
  readonly curve?: readonly number[];
  /** By the clock; trainings that are kept from before it was taken have none */
  readonly seconds?: number;
  /** The GPU; left out: it was trained on the processor */
  readonly device?: string;
}

/** Trains a row with one seed, on as many threads as asked for; how many never changes a result. */
export async function runRow(row: Row, seed: number, loaded: LoadedData, options: RunOptions): Promise<Run> {
  if (row.judgedBy !== "meanCurve") return runAsked(rowOfSeed(row, seed), seed, loaded, options);
  const curve: number[] = [];
  const onEvent = (event: StepEvent) => {
    options.onEvent?.(event);
    if (event.type !== "metrics" || event.axis !== "epoch") return;
    const share = event.values[`val/${row.metric}`];
    if (share != null) curve.push(Number(share.toFixed(6)));
  };
  const run = await runAsked(rowOfSeed(row, seed), seed, loaded, { ...options, onEvent });
  return { ...run, test: curve.at(-1) as number, val: null, curve };
}

async function runAsked(row: Row, seed: number, loaded: LoadedData, options: RunOptions): Promise<Run> {
  if (row.data === "cora-lp") return runStoredLinks(row, seed, loaded.datasets, options);
  if (typeof row.data === "object") return runSteps(row, row.data, seed, loaded.tables, options);
  const data = await loaded.of(row, seed);
  const { threads } = options;
  return fitted(row, { data, options: { ...row.spec, train: trainOf(row, seed, options) }, threads }, options);
}

/** The section `train` of a row with the benchmark's seed */
export function trainOf({ spec }: Row, seed: number, { epochs }: RunOptions): TrainerOptions["train"] {
  return { ...spec.train, seed, ...(epochs !== null && { epochs }) };
}

/** Trains, and takes the metrics of the weights that validation chose. */
export async function fitted(
  row: Row,
  setup: Parameters<typeof Trainer.create>[0],
  { onEvent }: Pick<RunOptions, "onEvent">,
): Promise<Run> {
  return timed(row, async () => {
    const trainer = await Trainer.create(setup);
    try {
      return await trainer.fit(onEvent ? { onEvent } : {});
    } finally {
      trainer.dispose();
    }
  });
}

interface Trained {
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly epochs: number;
}

/**
 * What a training came to, and what it took.
 *
 * @throws Error of a row whose metric the task does not count
 */
export async function timed({ name, metric, judgedBy }: Row, train: () => Promise<Trained>): Promise<Run> {
  const [before, startedAt] = [process.cpuUsage(), performance.now()];
  const { metrics, epochs } = await train();
  const { user, system } = process.cpuUsage(before);
  const test = metrics[`test/${metric}`] ?? (judgedBy === "meanCurve" ? Number.NaN : null);
  if (test === null) throw new Error(`${name}: no test/${metric} among ${Object.keys(metrics).join(", ")}.`);
  const ofTest = Object.entries(metrics).filter(([each]) => each.startsWith("test/"));
  const device = activeCuda()?.addon.deviceName();
  return {
    test,
    val: metrics[`val/${metric}`] ?? null,
    metrics: Object.fromEntries(ofTest),
    epochs,
    cpuSeconds: (user + system) / 1e6,
    seconds: Number(((performance.now() - startedAt) / 1000).toFixed(1)),
    ...(device && { device }),
  };
}
