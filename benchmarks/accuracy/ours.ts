/**
 * How accurate are the models and samplers on real data sets, against what the papers and the repository's own aims
 * say?
 *
 * Figure: rows whose mean over the seeds reaches the aim; ceiling: rows with an aim in this run. In the details of each
 * row: mean and standard deviation of the test metric in percent, every seed's, the aim and the margin in points, the
 * mean of the validation metric, CPU seconds (all threads) of a run. `worst` is the row with the least margin.
 *
 * Rows and hyper-parameters: rows.ts. The weights are those of the best validation epoch; test nodes choose nothing.
 *
 *   ours.ts [--data DIR] [--seeds 10|3-9] [--only ROW,ROW…] [--epochs N] [--threads N] [--results FILE [--report]]
 * [--presets] [--small]
 *
 * --only takes names of rows or beginnings of them (`cora`); rows that they are compared with are run too.
 * --results FILE keeps each training there as it ends, and runs none again that is there with the same settings.
 * --report trains nothing: the table of what FILE holds, with the seeds that each row has there.
 * --presets: the rows of preset-rows.ts instead, the preset chosen for each set beside the library's defaults, as a
 * table.
 * --small: a made-up graph instead of the data sets, one seed.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { usualDatasets } from "../../packages/gnn-core/test/support/real-datasets.ts";
import { frequencyBaseline } from "./baselines.ts";
import { chooseRows } from "./choose-rows.ts";
import { chooseSeeds } from "./choose-seeds.ts";
import { LoadedData } from "./load-data.ts";
import { presetRows } from "./preset-rows.ts";
import { presetTable } from "./preset-table.ts";
import { RecordedRuns } from "./recorded-runs.ts";
import { detailsOf, judgeAll, lineOf, type Measured, percent } from "./report.ts";
import { frequency, type Row } from "./row.ts";
import { allRows, smallRows } from "./rows.ts";
import { type Run, runRow } from "./run-row.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: usualDatasets },
    seeds: { type: "string", default: "10" },
    only: { type: "string" },
    epochs: { type: "string" },
    threads: { type: "string", default: String(availableParallelism()) },
    results: { type: "string" },
    report: { type: "boolean", default: false },
    presets: { type: "boolean", default: false },
    small: { type: "boolean", default: false },
  },
});
if (values.report && !values.results) throw new Error("--report: expected --results FILE, which it reports.");
const seeds = chooseSeeds(values.small ? "1" : values.seeds);
const options = { threads: Number(values.threads), epochs: values.epochs ? Number(values.epochs) : null };

const rows = chooseRows(values.small ? smallRows : values.presets ? presetRows : allRows, values.only);
if (!values.small && !existsSync(values.data)) {
  throw new Error(
    `There are no data sets in ${values.data}; they are no part of this repository. Name the folder that holds them with --data DIR, or try the benchmark on a made-up graph with --small.`,
  );
}

const scratch = await mkdtemp(join(tmpdir(), "hopwise-accuracy-"));
const loaded = new LoadedData(values.data, scratch);
const recorded = new RecordedRuns(values.results ?? null);
const measured: Measured[] = [];

async function trained(row: Row, seed: number): Promise<Run> {
  const run = await runRow(row, seed, loaded, options);
  recorded.add(row, seed, options.epochs, run);
  const val = run.val === null ? "" : `, val ${percent(run.val)}`;
  const cost = `${run.epochs} epochs, ${run.cpuSeconds.toFixed(1)} CPU s`;
  process.stderr.write(`${row.name} seed ${seed}: ${percent(run.test)}${val}, ${cost}\n`);
  return run;
}

try {
  for (const row of rows) {
    const runs: Run[] = [];
    for (const seed of seeds) {
      const run = recorded.find(row, seed, options.epochs) ?? (values.report ? null : await trained(row, seed));
      if (run) runs.push(run);
    }
    if (runs.length === 0) continue;
    const isCompared = row.aim !== null && "baselines" in row.aim && row.aim.baselines.includes(frequency);
    measured.push({ row, runs, frequency: isCompared ? frequencyBaseline(await loaded.of(row, 0)) : null });
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

const judged = judgeAll(measured);
process.stderr.write(values.presets ? presetTable(judged) : judged.map((row) => `${lineOf(row)}\n`).join(""));
const verdicts = judged.flatMap(({ row, verdict }) => (verdict ? [{ name: row.name, ...verdict }] : []));
const worst = verdicts.toSorted((a, b) => a.margin - b.margin)[0];

console.log(
  JSON.stringify({
    topic: "accuracy",
    figure: verdicts.filter(({ reached }) => reached).length,
    unit: "rows that reach their aim",
    better: "higher",
    ceiling: verdicts.length,
    details: {
      seeds: values.small ? 1 : values.seeds,
      epochs: options.epochs ?? "each row's own",
      threads: options.threads,
      worst: worst && { row: worst.name, margin: Number(worst.margin.toFixed(2)) },
      rows: Object.fromEntries(judged.map((row) => [row.row.name, detailsOf(row)])),
    },
  }),
);
