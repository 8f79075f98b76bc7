/**
 * Checks and measures the kernels, the backend and training on the GPU of this machine; script/gpu-check starts it.
 *
 *   check.mjs --out DIR [--emulated] [--only STEP]… [--limit SECONDS]
 *
 * Results are written after every step. Ends with 1 when a step failed or took too long.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { checkedDevice } from "./device-info.ts";
import { fileOf, type StepResult, writeResults } from "./results.ts";
import { type Outcome, runCommand } from "./run-step.ts";
import { type Place, type Step, steps } from "./steps.ts";
import { deviceTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    emulated: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    limit: { type: "string", default: "470" },
  },
});
const programs = dirname(process.argv[1] as string);
const place: Place = {
  root: join(import.meta.dirname, "../.."),
  programs,
  isEmulated: values.emulated,
  scratchDir: mkdtempSync(join(tmpdir(), "hopwise-gpu-check-")),
};
const device = checkedDevice(place);
const path = join(values.out as string, fileOf(device.name));
const startedAt = new Date();
const done: StepResult[] = [];
const results = () => ({
  device: device.name,
  isEmulated: place.isEmulated,
  startedAt: startedAt.toISOString(),
  commit: readFileSync(join(programs, "commit"), "utf8").trim(),
  driver: device.driver,
  cuda: device.cuda,
  steps: done,
});

const unknown = values.only.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(`gpu-check: no step ${unknown.join(", ")}; there are ${steps.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
writeResults(path, results());
const wanted = steps.filter(({ name, isExtra }) => (values.only.length === 0 ? !isExtra : values.only.includes(name)));
const started = new Map(
  wanted.filter(({ startsAtOnce }) => startsAtOnce).map((step) => [step.name, outcomeOf(step)] as const),
);
for (const step of wanted) {
  done.push({ name: step.name, title: step.title, ...(await (started.get(step.name) ?? outcomeOf(step))) });
  writeResults(path, results());
  const { state, seconds, why } = done.at(-1) as StepResult;
  console.error(`${state.padEnd(9)} ${seconds.toFixed(1).padStart(6)} s  ${step.name}${why ? `: ${why}` : ""}`);
}
rmSync(place.scratchDir, { recursive: true });
console.log(deviceTable(results()));
console.log(`\nWritten to ${path}.`);
if (done.some(({ state }) => state === "failed" || state === "timed out")) process.exitCode = 1;

async function outcomeOf(step: Step): Promise<Outcome> {
  const notRun = (why: string): Outcome => ({ state: "not run", seconds: 0, why, figures: [] });
  const left = Number(values.limit) - (Date.now() - startedAt.getTime()) / 1000;
  if (left < 5) return notRun(`the time of ${values.limit} s was over`);
  const missing = step.needs?.find((name) => !done.some((each) => each.name === name && each.state === "passed"));
  if (missing) return notRun(`it needs the step ${missing}`);
  const command = step.command(place);
  if (typeof command === "string") return notRun(command);
  // Budgets are a GPU's; the emulation runs on a processor that others may use, too.
  const budget = step.budgetSeconds * (place.isEmulated ? 5 : 1);
  return runCommand(command, Math.floor(Math.min(budget, left)));
}
