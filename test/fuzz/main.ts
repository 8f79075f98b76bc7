import { parseArgs } from "node:util";
import { type Fault, runFuzz } from "./run-fuzz.ts";
import { type TargetName, targetNames } from "./target.ts";

/** Plays the cases asked for and prints what was not taken well; the exit code is 1 when anything was not. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "0" },
      cases: { type: "string", default: "500" },
      only: { type: "string", default: targetNames.join() },
      at: { type: "string" },
      family: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const only = values.only.split(",").map(asTarget);
  const at = values.at === undefined ? null : asCount("--at", values.at);
  const seed = asCount("--seed", values.seed);
  const cases = asCount("--cases", values.cases);
  const start = performance.now();
  const { family } = values;
  const onFault = (fault: Fault) => print(fault, family);
  const report = await runFuzz({ seed, cases, only, at, onFault, ...(family !== undefined && { family }) });
  const figures = {
    topic: "fuzz",
    figure: report.faults.length,
    unit: "cases with a fault",
    better: "lower",
    details: {
      cases: report.cases,
      seed,
      seconds: Math.round((performance.now() - start) / 1000),
      endings: report.endings,
      peakMiB: report.peakMiB,
      faults: report.faults.map(({ target, index, what }) => ({ target, index, what: what.slice(0, 300) })),
    },
  };
  process.stdout.write(`${values.json ? JSON.stringify(figures) : JSON.stringify(figures, null, 2)}\n`);
  if (report.faults.length > 0) process.exitCode = 1;
}

function print({ target, seed, index, what, made }: Fault, family: string | undefined): void {
  process.stderr.write(`${target} ${index}: ${what}\n  ${made.slice(0, 500)}\n`);
  const ofFamily = family === undefined ? "" : ` --family ${JSON.stringify(family)}`;
  process.stderr.write(`  again: script/fuzz --only ${target}${ofFamily} --seed ${seed} --at ${index}\n`);
}

function asTarget(name: string): TargetName {
  const target = targetNames.find((known) => known === name);
  if (target === undefined) throw new Error(`--only ${name}: expected some of ${targetNames.join(", ")}.`);
  return target;
}

function asCount(flag: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${flag} ${text}: expected a whole number.`);
  return count;
}

await main();
