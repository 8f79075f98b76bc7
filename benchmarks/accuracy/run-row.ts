import { Trainer } from "../../packages/gnn-core/src/index.ts";
import type { LoadedData } from "./load-data.ts";
import type { Row } from "./row.ts";

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
  const data = await loaded.of(row, seed);
  const { spec } = row;
  const before = process.cpuUsage();
  const train = { ...spec.train, seed, ...(options.epochs !== null && { epochs: options.epochs }) };
  const trainer = await Trainer.create({ data, options: { ...spec, train }, threads: options.threads });
  try {
    const { metrics, epochs } = await trainer.fit();
    const { user, system } = process.cpuUsage(before);
    const test = metrics[`test/${row.metric}`];
    if (test == null) throw new Error(`${row.name}: no test/${row.metric} among ${Object.keys(metrics).join(", ")}.`);
    const ofTest = Object.entries(metrics).filter(([name]) => name.startsWith("test/"));
    return {
      test,
      val: metrics[`val/${row.metric}`] ?? null,
      metrics: Object.fromEntries(ofTest),
      epochs,
      cpuSeconds: (user + system) / 1e6,
    };
  } finally {
    trainer.dispose();
  }
}
