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
 *     [--presets] [--small] [--vary FILE] [--backend native|cuda|cuda-emulated] [--processes N [--limit SECONDS]]
 *     [--artifacts DIR [--prepare]]
 *
 * --only takes names of rows or beginnings of them (`cora`); rows that they are compared with are run too.
 * --results FILE keeps each training there as it ends, and runs none again that is there with the same settings.
 * --report trains nothing: the table of what FILE holds, with the seeds that each row has there.
 * --presets: the rows of preset-rows.ts instead, the preset chosen for each set beside the library's defaults, as a
 * table.
 * --small: a made-up graph instead of the data sets, one seed.
 * --vary FILE: rows with other settings, which validation is to choose from (vary-rows.ts).
 * --backend: what trainings compute on; `cuda` is a GPU. --threads are those of each process.
 * --processes N: so many trainings at a time, each in a process of its own; after --limit SECONDS the rest is given up.
 * --artifacts DIR: keeps what is made of the data sets there, and reads none that is there. --prepare trains nothing.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { usualDatasets } from "../../packages/gnn-core/test/support/real-datasets.ts";
import { chooseRows } from "./choose-rows.ts";
import { chooseSeeds } from "./choose-seeds.ts";
import { LoadedData } from "./load-data.ts";
import { presetRows } from "./preset-rows.ts";
import { presetTable } from "./preset-table.ts";
import { RecordedRuns } from "./recorded-runs.ts";
import { alsoMeasured, detailsOf, judgeAll, lineOf, type Measured, percent } from "./report.ts";
import type { Row } from "./row.ts";
import { allRows, smallRows } from "./rows.ts";
import { type Run, runRow } from "./run-row.ts";
import { answerParent, isTrainingApart, type Training, trainSideBySide } from "./side-by-side.ts";
import { tellDeviceWork, tellProgress } from "./tell-progress.ts";
import { untaughtOf } from "./untaught.ts";
import { varyRows } from "./vary-rows.ts";

const backends = ["native", "cuda", "cuda-emulated"] as const;
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
    vary: { type: "string" },
    backend: { type: "string", default: "native" },
    processes: { type: "string" },
    limit: { type: "string" },
    artifacts: { type: "string" },
    prepare: { type: "boolean", default: false },
  },
});
if (values.report && !values.results) throw new Error("--report: expected --results FILE, which it reports.");
if (values.prepare && !values.artifacts) throw new Error("--prepare: expected --artifacts DIR, where it keeps them.");
if (values.limit && !values.processes) throw new Error("--limit: expected --processes N, which it ends.");
const backend = backends.find((name) => name === values.backend);
if (!backend) throw new Error(`--backend ${values.backend}: expected one of ${backends.join(", ")}.`);
const seeds = chooseSeeds(values.small ? "1" : values.seeds);
const options = { threads: Number(values.threads), epochs: values.epochs ? Number(values.epochs) : null };

const known = values.small ? smallRows : values.presets ? presetRows : allRows;
const rows = chooseRows(values.vary ? varyRows(known, values.vary) : known, values.only);
if (!values.small && !values.artifacts && !existsSync(values.data)) {
  throw new Error(
    `There are no data sets in ${values.data}; they are no part of this repository. Name the folder that holds them with --data DIR, or try the benchmark on a made-up graph with --small.`,
  );
}

const scratch = await mkdtemp(join(tmpdir(), "hopwise-accuracy-"));
const loaded = new LoadedData(values.data, scratch, values.artifacts ?? null);

async function train({ row: name, seed }: Training): Promise<Run> {
  const row = rowNamed(name);
  if (backend !== "native") {
    await loaded.prepare(row, seed);
    await selectBackend("cuda", { cudaDevice: backend === "cuda" ? "gpu" : "emulated" });
  }
  const run = await runRow(row, seed, loaded, { ...options, onEvent: tellProgress(row, seed) });
  tellDeviceWork(row, seed);
  return run;
}

function rowNamed(name: string): Row {
  return rows.find((row) => row.name === name) as Row;
}

async function benchmark(): Promise<void> {
  const recorded = new RecordedRuns(values.results ?? null);
  const wanted = rows.flatMap((row) => seeds.map((seed) => ({ row: row.name, seed })));
  const open = wanted.filter(({ row, seed }) => !recorded.find(rowNamed(row), seed, options.epochs));
  const onRun = ({ row: name, seed }: Training, run: Run) => {
    recorded.add(rowNamed(name), seed, options.epochs, run);
    const val = run.val === null ? "" : `, val ${percent(run.val)}`;
    const cost = `${run.epochs} epochs, ${run.cpuSeconds.toFixed(1)} CPU s`;
    process.stderr.write(`${name} seed ${seed}: ${percent(run.test)}${val}, ${cost}\n`);
  };
  if (values.prepare) for (const { row, seed } of wanted) await loaded.prepare(rowNamed(row), seed);
  else if (values.processes) await sideBySide(open, onRun);
  else if (!values.report) for (const training of open) onRun(training, await train(training));

  const measured: Measured[] = [];
  for (const row of rows) {
    const runs = seeds.flatMap((seed) => recorded.find(row, seed, options.epochs) ?? []);
    if (runs.length === 0) continue;
    measured.push({ row, runs, untaught: await untaughtOf(row, loaded) });
  }
  print(measured.flatMap(alsoMeasured));
}

async function sideBySide(open: readonly Training[], onRun: (training: Training, run: Run) => void): Promise<void> {
  for (const { row, seed } of open) await loaded.prepare(rowNamed(row), seed);
  await trainSideBySide(open, {
    processes: Number(values.processes),
    limitSeconds: values.limit ? Number(values.limit) : null,
    onRun,
    onFailure: ({ row, seed }, why) => {
      process.exitCode = 1;
      process.stderr.write(`${row} seed ${seed} has no result: ${why}\n`);
    },
  });
}

function print(measured: readonly Measured[]): void {
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
}

try {
  await (isTrainingApart ? answerParent(train) : benchmark());
} finally {
  await rm(scratch, { recursive: true, force: true });
}
