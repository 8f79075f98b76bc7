import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import { writeDatasetFiles } from "../../packages/gnn-core/src/generate/write-dataset-files.ts";
import type { Client } from "../../test/support/client.ts";
import { Stack } from "../../test/support/stack.ts";
import { type Case, type GraphName, shapes } from "./cases.ts";

/** One job: what was estimated before any job had run, and what it took from its first stage to its end. */
export interface Measured {
  readonly name: string;
  readonly model: string;
  readonly overheadSeconds: number;
  readonly workSeconds: number;
  readonly seconds: number;
  /** Seconds of each stage, for whoever fits the formula. */
  readonly stages: Readonly<Record<string, number>>;
  /** The terms of the time, for the same. */
  readonly terms: readonly EstimateLine[];
}

interface EstimateLine {
  readonly of: string;
  readonly what: string;
  readonly amount: number;
}

/** Runs the jobs one after the other in a stack of real processes. @returns also what it says of each at the end */
export async function measure(cases: readonly Case[]): Promise<{ jobs: Measured[]; afterwards: number[] }> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-bench-estimate-"));
  const stack = await Stack.startOnServer();
  try {
    const { client } = stack;
    const datasets = new Map<GraphName, string>();
    for (const { graph } of cases) {
      if (!datasets.has(graph)) datasets.set(graph, await upload(client, graph, join(dir, graph)));
    }
    const specs = cases.map(({ graph, spec }) => ({
      ...spec,
      dataset: datasets.get(graph),
      task: { target: "label" },
    }));
    const first: EstimateLine[][] = [];
    for (const spec of specs) first.push(timeTerms((await estimate(client, spec)).explanation));
    const jobs: Measured[] = [];
    for (const [i, spec] of specs.entries()) {
      jobs.push({ ...nameOf(cases[i]!, i), ...partsOf(first[i]!), terms: first[i]!, ...(await run(client, spec)) });
      console.error(`${i + 1} of ${specs.length}: ${jobs.at(-1)!.name} ${jobs.at(-1)!.seconds.toFixed(1)} s`);
    }
    const afterwards: number[] = [];
    for (const spec of specs) afterwards.push((await estimate(client, spec)).seconds);
    return { jobs, afterwards };
  } finally {
    await stack.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function nameOf({ graph, spec }: Case, i: number): { name: string; model: string } {
  return { name: `${i + 1} ${graph} ${spec.model.type}`, model: spec.model.type };
}

async function upload(client: Client, graph: GraphName, dir: string): Promise<string> {
  const { edgesFile, nodesFile, featuresFile } = await writeDatasetFiles(dir, await shapedGraph(shapes[graph], 1));
  return client.makeDataset(graph, [edgesFile, nodesFile, featuresFile]);
}

async function estimate(
  client: Client,
  spec: Record<string, unknown>,
): Promise<{ seconds: number; explanation: EstimateLine[] }> {
  const query = "query($spec: JobSpecInput!) { estimateJob(spec: $spec) { seconds explanation { of what amount } } }";
  const variables = { spec: { version: 1, kind: "train", ...spec } };
  const { estimateJob } = await client.graphql<{
    estimateJob: { seconds: number | null; explanation: EstimateLine[] };
  }>(query, variables);
  if (estimateJob.seconds === null) throw new Error(`no estimate of ${JSON.stringify(spec)}`);
  return { seconds: estimateJob.seconds, explanation: estimateJob.explanation };
}

const overheads = ["timeOverhead", "stageOverhead"];
const works = ["time", "stageTime"];
const timeTerms = (lines: readonly EstimateLine[]) => lines.filter(({ of }) => [...overheads, ...works].includes(of));

function partsOf(terms: readonly EstimateLine[]): { overheadSeconds: number; workSeconds: number } {
  const sum = (parts: readonly string[]) =>
    terms.filter(({ of }) => parts.includes(of)).reduce((seconds, { amount }) => seconds + amount, 0);
  return { overheadSeconds: sum(overheads), workSeconds: sum(works) };
}

async function run(
  client: Client,
  spec: Record<string, unknown>,
): Promise<{ seconds: number; stages: Record<string, number> }> {
  const id = await client.submit(spec);
  const { state, problem } = await client.finished(id, 1200);
  if (state !== "SUCCEEDED") throw new Error(`${id} ended ${state}: ${JSON.stringify(problem)}`);
  const { job } = await client.graphql<{
    job: { finishedAt: string; stages: { kind: string; startedAt: string | null; finishedAt: string | null }[] };
  }>("query($id: ID!) { job(id: $id) { finishedAt stages { kind startedAt finishedAt } } }", { id });
  const between = (from: string | null, to: string | null) =>
    from === null || to === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1000;
  const started = job.stages.flatMap(({ startedAt }) => startedAt ?? []).toSorted()[0] ?? null;
  const stages = job.stages.map((stage) => [stage.kind, between(stage.startedAt, stage.finishedAt)] as const);
  return { seconds: between(started, job.finishedAt), stages: Object.fromEntries(stages) };
}
