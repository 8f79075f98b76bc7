import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../apps/api/test/support/start-postgres.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { Hold, type Point } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { type Blow, blows, pointNames } from "./blows.ts";
import { type ChaosCase, cases, meets, mostSlots, nameOf } from "./cases.ts";
import { type Arena, type StruckRun, struckRun, undisturbed } from "./struck-run.ts";
import { chaosTasks } from "./tasks.ts";

/** Strikes one job after another and says what was lost; the exit code is 1 when anything was. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: "20" },
      seed: { type: "string", default: "0" },
      points: { type: "string", default: pointNames.join() },
      tasks: { type: "string", default: Object.keys(chaosTasks).join() },
      "hang-seconds": { type: "string", default: "180" },
      json: { type: "boolean", default: false },
    },
  });
  const dir = mkdtempSync(join(tmpdir(), "hw-chaos-"));
  const hold = new Hold();
  const postgres = await startPostgres();
  const stack = await Stack.start({ DATABASE_URL: postgres.url, HOPWISE_WORKER_SLOTS: String(mostSlots), ...hold.env });
  const arena = { stack, postgres, hold, dir, hangSeconds: Number(values["hang-seconds"]) };
  const runs: StruckRun[] = [];
  try {
    const plan = planOf(Number(values.runs), Number(values.seed), {
      points: values.points.split(","),
      tasks: values.tasks.split(","),
    });
    for (const [i, step] of plan.entries()) {
      const run = await strikeOnce(arena, step);
      runs.push(run);
      const how = run.faults.length === 0 ? `goes on after ${run.secondsToGoOn.toFixed(1)} s` : run.faults.join("; ");
      process.stderr.write(`${i + 1}/${plan.length} ${run.name}: ${how}\n`);
      if (run.attempts === 0) break; // what hangs would hold up every later run
    }
  } finally {
    hold.release();
    await stack.stop();
    await postgres.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  }
  process.stdout.write(`${values.json ? JSON.stringify(summaryOf(runs)) : JSON.stringify(summaryOf(runs), null, 2)}\n`);
  if (runs.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
}

interface Planned {
  readonly chaosCase: ChaosCase;
  readonly blow: Blow;
  readonly point: Point;
}

/** Every blow at every point before any comes again, each time with another case that comes to the point. */
function planOf(
  numRuns: number,
  seed: number,
  { points, tasks }: { readonly points: readonly string[]; readonly tasks: readonly string[] },
): Planned[] {
  const random = new SeededRandom(seed);
  const all = blows.flatMap((blow) =>
    blow.points.filter((point) => points.includes(point)).map((point) => ({ blow, point })),
  );
  const asked = cases.filter(({ learns }) => tasks.includes(learns));
  if (asked.length === 0)
    throw new Error(`--tasks ${tasks.join()}: expected some of ${Object.keys(chaosTasks).join(", ")}.`);
  if (all.length === 0) throw new Error(`--points ${points.join()}: expected some of ${pointNames.join(", ")}.`);
  const caseOrder = shuffled(asked, random);
  const fits =
    ({ blow, point }: (typeof all)[number]) =>
    (chaosCase: ChaosCase) =>
      meets(chaosCase, point) && (blow.fits?.(chaosCase) ?? true);
  // Tasks whose ranks draw themselves never come to the points of sampler processes.
  const order = shuffled(
    all.filter((each) => asked.some(fits(each))),
    random,
  );
  return Array.from({ length: numRuns }, (_, i) => {
    const chosen = order[i % order.length] as (typeof order)[number];
    const { blow, point } = chosen;
    const fit = caseOrder.filter(fits(chosen));
    return { blow, point, chaosCase: fit[i % fit.length] as ChaosCase };
  });
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return Array.from(random.permutation(items.length), (i) => items[i] as T);
}

const twins = new Map<string, Record<string, string>>();

async function strikeOnce(arena: Arena, { chaosCase, blow, point }: Planned): Promise<StruckRun> {
  const key = nameOf(chaosCase);
  const expected = twins.get(key) ?? (await undisturbed(arena, chaosCase));
  twins.set(key, expected);
  return struckRun(arena, chaosCase, blow, point, expected);
}

function summaryOf(runs: readonly StruckRun[]) {
  const victims = [...new Set(runs.map(({ victim }) => victim))];
  const secondsToGoOn = victims.map((victim) => {
    const seconds = runs
      .filter((run) => run.victim === victim)
      .map((run) => run.secondsToGoOn)
      .filter(Number.isFinite)
      .toSorted((a, b) => a - b);
    return [victim, { runs: seconds.length, median: seconds[Math.floor(seconds.length / 2)], max: seconds.at(-1) }];
  });
  return {
    topic: "chaos",
    figure: runs.filter(({ faults }) => faults.length > 0).length,
    unit: "runs with a fault",
    better: "lower",
    details: {
      runs: runs.length,
      hangs: runs.filter(({ attempts }) => attempts === 0).length,
      faults: runs.filter(({ faults }) => faults.length > 0).map(({ name, faults }) => ({ name, faults })),
      secondsToGoOn: Object.fromEntries(secondsToGoOn),
    },
  };
}

await main();
