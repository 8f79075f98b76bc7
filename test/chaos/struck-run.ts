import { join } from "node:path";
import type { TestPostgres } from "../../apps/api/test/support/start-postgres.ts";
import type { JobState } from "../support/client.ts";
import { followToTheEnd, type ServerEvent } from "../support/events.ts";
import type { Hold, Point } from "../support/hold.ts";
import type { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";
import type { Blow } from "./blows.ts";
import { type ChaosCase, nameOf, stepsPerEpoch } from "./cases.ts";
import { type ChaosTask, chaosTasks, epochs } from "./tasks.ts";

export interface Arena {
  readonly stack: Stack;
  readonly postgres: TestPostgres;
  readonly hold: Hold;
  readonly dir: string;
  /** No job takes longer, blow included; one that does hangs. */
  readonly hangSeconds: number;
}

export interface StruckRun {
  readonly name: string;
  readonly victim: Blow["victim"];
  /** From the blow to the next sign of training in the events of the attempt that ends the job */
  readonly secondsToGoOn: number;
  readonly attempts: number;
  /** What is wrong with it; empty when nothing was lost */
  readonly faults: readonly string[];
}

/** An event that tells of training, when it arrived */
interface Sign {
  readonly at: number;
  readonly attempt: number;
}

/** The digests of the same job without a blow. */
export async function undisturbed(arena: Arena, chaosCase: ChaosCase): Promise<Record<string, string>> {
  const job = await arena.stack.client.finished(await submit(arena, chaosCase), arena.hangSeconds);
  if (job.state !== "SUCCEEDED") throw new Error(`${nameOf(chaosCase)}: ${JSON.stringify(job.problem)}`);
  return resultDigests(job);
}

/** Submits the job, holds it at the point, strikes, lets go, and compares what comes out with the undisturbed run. */
export async function struckRun(
  arena: Arena,
  chaosCase: ChaosCase,
  blow: Blow,
  point: Point,
  expected: Record<string, string>,
): Promise<StruckRun> {
  const { stack, hold, postgres, hangSeconds } = arena;
  hold.arm(point, placeOf(point, chaosCase));
  const jobId = await submit(arena, chaosCase);
  const signs: Sign[] = [];
  const live = followToTheEnd(stack.client, jobId, (event) => {
    if (isTraining(event)) signs.push({ at: performance.now(), attempt: event.attempt });
  });
  const held = await hold.reached(hangSeconds);
  await blow.strike({ stack, postgres, held });
  const struckAt = performance.now();
  hold.release();
  const job = await stack.client.finished(jobId, hangSeconds).catch(() => null);
  const name = `${blow.how} of ${blow.victim} at ${point}: ${nameOf(chaosCase)}`;
  const { victim } = blow;
  if (!job) return { name, victim, secondsToGoOn: Number.NaN, attempts: 0, faults: [`no end within ${hangSeconds} s`] };
  const faults = faultsOf(job, await live, expected);
  // What the lost attempt had told before it died may arrive after the blow.
  const wentOn = signs.find(({ at, attempt }) => at > struckAt && attempt === job.attempt);
  const secondsToGoOn = ((wentOn?.at ?? Number.NaN) - struckAt) / 1000;
  return { name, victim, secondsToGoOn, attempts: job.attempt, faults };
}

async function submit({ stack, dir }: Arena, chaosCase: ChaosCase): Promise<string> {
  const { client } = stack;
  const { learns, ranks, samplerThreads, samplers, trainNodes, graph } = chaosCase;
  const { files: write, mapping, sections }: ChaosTask = chaosTasks[learns];
  const files = await write(join(dir, `${learns}-${trainNodes}`), trainNodes);
  // A project of its own, where no earlier job's artifact can be reused: every step runs.
  const project = await client.makeProject(`${nameOf(chaosCase)} ${performance.now()}`);
  const dataset = await client.makeDataset("graph", files, mapping, project);
  return client.submit({
    dataset,
    project,
    ...sections,
    // The profile of a cache would draw the batches of the second epoch before the first.
    resources: { ranks, samplerThreads, samplers, threadsPerRank: 1, graph, remoteCache: 0 },
  });
}

/**
 * The middle of the second epoch; a manifest is met while the first checkpoint is stored, as no other takes its place.
 */
function placeOf(point: Point, chaosCase: ChaosCase): Record<string, number | string> {
  if (point === "manifest-put") return { prefix: ".checkpoint-1-" };
  if (point === "checkpoint-write") return { epoch: 2 };
  return { epoch: 2, step: Math.floor(stepsPerEpoch(chaosCase) / 2) };
}

const isTraining = ({ type }: ServerEvent) => type === "RankUpdated" || type === "MetricsRecorded";

function faultsOf(job: JobState, events: readonly ServerEvent[], expected: Record<string, string>): string[] {
  const faults = [];
  if (job.state !== "SUCCEEDED") faults.push(`${job.state}: ${JSON.stringify(job.problem)}`);
  const found = resultDigests(job);
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const name of names) if (found[name] !== expected[name]) faults.push(`${name} has other bits`);
  if (!events.every(({ id }, i) => Number(id) === i + 1)) faults.push("the cursors have gaps or repeats");
  const seen = new Set(epochsOf(events));
  for (let epoch = 1; epoch <= epochs; epoch++) if (!seen.has(epoch)) faults.push(`epoch ${epoch} is lost`);
  return faults;
}
