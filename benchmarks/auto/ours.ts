/**
 * What does a search for model and settings find on real data sets within a time, and does it reach what is published?
 *
 * Each set is uploaded into a service of its own (Redis, the API, one worker) as a user's files, and `auto` is asked
 * for with its task and nothing else. Figure: sets whose chosen setting has a test mean that reaches the aim; ceiling:
 * sets with an aim in this run. Details: what was chosen of each, over how many seeds, and what was decided.
 *
 *   ours.ts [--data DIR] [--only SET,SET…] [--budget 10m] [--results FILE [--report]] [--small]
 *
 * --small searches one small graph for 30 seconds, which only shows that the benchmark runs.
 * --results FILE keeps what each search found as it ends, a line each. --report searches nothing: the table of FILE.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { usualDatasets } from "../../packages/gnn-core/test/support/real-datasets.ts";
import { Stack } from "../../test/support/stack.ts";
import type { AutoSet } from "./auto-set.ts";
import { type Found, runSearch } from "./run-search.ts";
import { allSets } from "./sets.ts";
import { smallSet } from "./small-set.ts";
import { uploadSet } from "./upload-set.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: usualDatasets },
    only: { type: "string" },
    budget: { type: "string" },
    results: { type: "string" },
    report: { type: "boolean", default: false },
    small: { type: "boolean", default: false },
  },
});
const budget = values.budget ?? (values.small ? "30s" : "10m");
const told = (line: string) => process.stderr.write(`${line}\n`);

if (values.report) {
  if (!values.results) throw new Error("--report: expected --results FILE, which it reports.");
  const lines = readFileSync(values.results, "utf8").trim().split("\n");
  console.log(tableOf(lines.map((line) => JSON.parse(line) as Found)));
} else {
  const found = await searchAll();
  const aimed = found.filter(({ aim }) => aim !== null);
  const figure = aimed.filter(({ test, aim }) => test !== null && test >= (aim as number)).length;
  const details = { machine: `${cpus().length} × ${cpus()[0]?.model}`, budget, found };
  console.log(
    JSON.stringify({ topic: "auto", figure, unit: "sets", better: "higher", ceiling: aimed.length, details }),
  );
}

/** @throws Error when there is no such set, or none at all */
function setsToSearch(): readonly AutoSet[] {
  if (values.small) return [smallSet];
  const wanted = values.only?.split(",") ?? allSets.map(({ name }) => name);
  const unknown = wanted.find((name) => !allSets.some((set) => set.name === name));
  if (unknown) throw new Error(`--only ${unknown}: the sets are ${allSets.map(({ name }) => name).join(", ")}.`);
  if (!existsSync(values.data)) {
    throw new Error(`There are no data sets in ${values.data}; name the folder that holds them with --data DIR.`);
  }
  return allSets.filter(({ name }) => wanted.includes(name));
}

async function searchAll(): Promise<Found[]> {
  const sets = setsToSearch();
  const time = isoOf(budget);
  const scratch = await mkdtemp(join(tmpdir(), "hopwise-auto-"));
  const found: Found[] = [];
  try {
    for (const set of sets) {
      const stack = await Stack.start();
      try {
        told(`${set.name}:`);
        const dataset = await uploadSet(stack.client, set, values.data, scratch);
        const one = await runSearch(stack.client, set, dataset, time, (line) => told(`  ${line}`));
        for (const line of one.settings) told(`  - ${line}`);
        for (const line of one.failures) told(`  failed: ${line}`);
        told(`  ${one.chosen}: test ${percent(one.test)} ± ${percent(one.deviation)}, aim ${percent(one.aim)}`);
        if (values.results) appendFileSync(values.results, `${JSON.stringify(one)}\n`);
        found.push(one);
      } catch (error) {
        told(`  ${set.name} could not be searched: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await stack.stop();
      }
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return found;
}

/** `10m`, `90s`, `2h` as the API has them. */
function isoOf(text: string): string {
  const [, amount, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (!amount || !unit) throw new Error(`--budget ${text}: expected a time such as 90s, 10m or 2h.`);
  return `PT${amount}${unit.toUpperCase()}`;
}

function percent(share: number | null): string {
  return share === null ? "–" : (100 * share).toFixed(2);
}

function tableOf(found: readonly Found[]): string {
  const rows = found.map(({ set, budget, chosen, numSeeds, metric, test, deviation, aim }) => {
    const figure = `${percent(test)}${deviation === null ? "" : ` ± ${percent(deviation)}`}`;
    const isReached = aim !== null && test !== null && test >= aim;
    const held = aim === null ? "–" : `${percent(aim)}${isReached ? "" : ": missed"}`;
    return `| ${[set, budget, chosen ?? "nothing", numSeeds, metric, figure, held].join(" | ")} |`;
  });
  const head = ["| set | budget | chosen | seeds | metric | test | aim |", "|---|---|---|---|---|---|---|"];
  return [...head, ...rows].join("\n");
}
