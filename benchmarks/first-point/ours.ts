/**
 * How long after an upload does somebody see the first point of the loss?
 *
 * Figure: seconds from the answer to the last byte of the files until the first epoch's metrics come down the stream
 * that the job's page listens to, when the proposed mapping and the job's defaults are confirmed at once. Ceiling: the
 * part of that time in which the steps themselves ran, of the training until that point, in the same run.
 *
 *   ours.ts [--nodes 20000] [--edges 200000] [--ranks 1] [--rounds 3] [--small]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { succeededJob } from "@hopwise/client";
import { openFile } from "@hopwise/client/node";
import { writeCitationGraph } from "../../packages/gnn-core/src/generate/citation-graph.ts";
import type { Client } from "../../test/support/client.ts";
import { Stack } from "../../test/support/stack.ts";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "20000" },
    edges: { type: "string", default: "200000" },
    ranks: { type: "string", default: "1" },
    rounds: { type: "string", default: "3" },
    small: { type: "boolean", default: false },
  },
});
const [numNodes, numEdges, rounds] = values.small
  ? [200, 800, 1]
  : [Number(values.nodes), Number(values.edges), Number(values.rounds)];
const ranks = Number(values.ranks);

interface Round {
  readonly previewSeconds: number;
  readonly ingestSeconds: number;
  readonly firstPointSeconds: number;
  /** For the steps alone */
  readonly workSeconds: number;
}

/** Another seed is another graph: nothing of an earlier round is there to be used again. */
async function measure({ api }: Client, dir: string, seed: number): Promise<Round> {
  const graph = await writeCitationGraph(join(dir, `graph-${seed}`), { numNodes, numEdges, seed });
  const { id } = await api.call("POST /v1/datasets", { body: { name: `graph ${seed}` } });
  const files = await Promise.all([graph.edgesFile, graph.nodesFile].map(openFile));
  const { previewJob } = await api.upload("POST /v1/datasets/:id/files", { params: { id }, files });

  const uploadedAt = performance.now();
  const since = () => (performance.now() - uploadedAt) / 1000;
  await succeededJob(api, previewJob ?? "");
  const previewSeconds = since();
  const { proposed } = await api.call("GET /v1/datasets/:id/preview", { params: { id } });
  const ingest = await api.call("PUT /v1/datasets/:id/spec", { params: { id }, body: proposed });
  await succeededJob(api, ingest.id);
  const ingestSeconds = since();
  const spec = { version: 1, kind: "train", dataset: id, task: { target: "label" }, resources: { ranks } };
  const job = await api.call("POST /v1/jobs", { body: spec, idempotencyKey: crypto.randomUUID() });
  const pointAt = await firstPoint(api, job.id);
  const firstPointSeconds = since();
  const work = await Promise.all([previewJob ?? "", ingest.id, job.id].map((one) => workSeconds(api, one, pointAt)));
  await api.call("POST /v1/jobs/:id/cancel", { params: { id: job.id } });
  return { previewSeconds, ingestSeconds, firstPointSeconds, workSeconds: work.reduce((sum, one) => sum + one, 0) };
}

/** When the first epoch's metrics came. The rest of the stream is of no use here. */
async function firstPoint(api: Client["api"], id: string): Promise<Date> {
  for await (const event of api.events("GET /v1/jobs/:id/events", { params: { id } })) {
    if (event.type === "MetricsRecorded" && event.body.axis === "epoch") return new Date();
  }
  throw new Error("The job ended without a point.");
}

async function workSeconds(api: Client["api"], id: string, until: Date): Promise<number> {
  const { stages } = await api.call("GET /v1/jobs/:id", { params: { id } });
  const ms = stages.map(({ startedAt, finishedAt }) => {
    if (startedAt === null) return 0;
    const end = finishedAt === null ? until : new Date(finishedAt);
    return Math.max(0, Math.min(Number(end), Number(until)) - Number(new Date(startedAt)));
  });
  return ms.reduce((sum, one) => sum + one, 0) / 1000;
}

function median(figure: (round: Round) => number): number {
  const sorted = found.map(figure).toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toPrecision(3));
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-first-point-"));
const found: Round[] = [];
let stack: Stack | null = null;
try {
  stack = await Stack.start();
  for (let seed = 0; seed < rounds; seed++) found.push(await measure(stack.client, dir, seed));
  console.log(
    JSON.stringify({
      topic: "first-point",
      figure: median(({ firstPointSeconds }) => firstPointSeconds),
      unit: "s from the upload's end to the first epoch's metrics",
      better: "lower",
      ceiling: median(({ workSeconds: seconds }) => seconds),
      details: {
        numNodes,
        numEdges,
        ranks,
        rounds: found.map(({ firstPointSeconds }) => Number(firstPointSeconds.toPrecision(3))),
        previewedAfterSeconds: median(({ previewSeconds }) => previewSeconds),
        ingestedAfterSeconds: median(({ ingestSeconds }) => ingestSeconds),
      },
    }),
  );
} finally {
  await stack?.stop();
  await rm(dir, { recursive: true, force: true });
}
