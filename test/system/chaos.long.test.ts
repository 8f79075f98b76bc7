import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { denseSageLayer, relu, sageWeights, worstDifference } from "../support/dense-sage.ts";
import { followToTheEnd, type ServerEvent } from "../support/events.ts";
import { type Held, Hold } from "../support/hold.ts";
import { downloadParquet, readCsv } from "../support/parquet.ts";
import { readSafetensors } from "../support/safetensors.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";

const numNodes = 3000;
const numEdges = 30_000;
const plan = { epochs: 3, batchSize: 64 };
const place = { epoch: 2, step: 3 };

/** Dropout is on, so that randomness is tested too. */
const spec = (dataset: string, project: string, samplers: number) => ({
  dataset,
  project,
  task: { target: "label" },
  model: { type: "sage", options: { hiddenFeats: 64 } },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: plan,
  resources: { ranks: 2, samplers },
});

/** Names the case of a job whose undisturbed twin has no samplers */
const inSamplers = "one of two sampler processes";
const killHeld = async (_: Stack, held: Held) => {
  process.kill(held.pid, "SIGKILL");
};

const blows: Record<string, (stack: Stack, held: Held) => Promise<void>> = {
  "a rank": killHeld,
  [inSamplers]: killHeld,
  "the worker": async (stack) => {
    await stack.worker.kill();
    stack.worker.start();
  },
  "the API": async (stack) => {
    await stack.api.kill();
    stack.api.start();
  },
  Redis: async (stack) => {
    await stack.redis.kill();
    stack.redis.start();
  },
  "everything in Redis (FLUSHALL)": async (stack) => {
    execFileSync("redis-cli", ["-s", stack.redisSocket, "FLUSHALL"], { timeout: 30_000 });
  },
};
/** Blows that end an attempt, and what the job then tells; after the others the same attempt goes on. */
const costsAnAttempt = new Map([
  ["a rank", /^Rank [01] on/],
  [inSamplers, /^Sampler [01] on/],
  ["the worker", /worker/i],
]);

describe("a job struck in mid-epoch", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-chaos-"));
  const hold = new Hold();
  let stack: Stack;
  let client: Client;
  let graph: GivenGraph;
  let undisturbed: JobState;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes, numEdges, seed: 7 });
    stack = await Stack.start(hold.env);
    client = stack.client;
    graph = await readGraph(dir);
    undisturbed = await client.finished(await submitAnew("undisturbed"), 400);
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
  }, 480_000);
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** A job in a project of its own, where no earlier job's artifact can be reused: every step runs. */
  async function submitAnew(name: string, samplers = 0): Promise<string> {
    const project = await client.makeProject(name);
    const dataset = await client.makeDataset(name, [graph.edgesFile, graph.nodesFile], undefined, project);
    return client.submit(spec(dataset, project, samplers));
  }

  it("has a twin without a blow, whose embeddings are those that its weights give in an independent dense pass", async () => {
    const weights = readSafetensors(await client.blob(undisturbed, "model", "model.safetensors"));
    const hidden = relu(denseSageLayer(graph.features, graph.neighbors, sageWeights(weights, 0)));
    const rows = await downloadParquet(client, "embeddings", undisturbed.id);
    expect(worstDifference(rows, new Map(graph.ids.map((id, row) => [id, hidden[row] ?? []])))).toBeLessThan(1e-5);
  });

  it.each(Object.entries(blows))(
    "by the death of %s ends with the bits of the undisturbed run and tells what happened",
    async (victim, strike) => {
      hold.arm(victim === inSamplers ? "remote-sample" : "all-reduce", place);
      const jobId = await submitAnew(victim, victim === inSamplers ? 2 : 0);
      const live = followToTheEnd(client, jobId);

      const held = await hold.reached();
      expect(held).toMatchObject(place);
      await strike(stack, held);
      hold.release();
      const job = await client.finished(jobId, 400);
      expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");

      const events = await live;
      expect(job.stages.filter(({ cached }) => cached)).toEqual([]);
      expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
      expectWholeStory(events);
      // A reader who comes late gets the same story as the one who followed through the blow.
      expect(await followToTheEnd(client, jobId)).toEqual(events);
      const told = costsAnAttempt.get(victim);
      if (told) {
        expect(job.attempt).toBe(2);
        expect(job.incidents.filter(({ message }) => told.test(message))).not.toEqual([]);
      } else {
        expect(job.attempt).toBe(1);
      }
    },
    480_000,
  );
});

/** The files as another reader sees them: neighbours in both directions, without repeats or self-loops. */
async function readGraph(folder: string) {
  const edgesFile = join(folder, "edges.csv");
  const nodesFile = join(folder, "nodes.csv");
  const nodes = await readCsv(nodesFile);
  const ids = nodes.map(({ id }) => id ?? "");
  const rowOf = new Map(ids.map((id, row) => [id, row]));
  const columns = Object.keys(nodes[0] ?? {}).filter((name) => /^f\d+$/.test(name));
  const features = nodes.map((node) => columns.map((name) => Number(node[name])));
  const neighbors = ids.map(() => new Set<number>());
  for (const { src = "", dst = "" } of await readCsv(edgesFile)) {
    const from = rowOf.get(src) ?? -1;
    const to = rowOf.get(dst) ?? -1;
    if (from === to) continue;
    neighbors[from]?.add(to);
    neighbors[to]?.add(from);
  }
  return { edgesFile, nodesFile, ids, features, neighbors };
}
type GivenGraph = Awaited<ReturnType<typeof readGraph>>;

/** Cursors 1, 2, 3 … without a gap or repeat, and each epoch's metrics there. */
function expectWholeStory(events: readonly ServerEvent[]): void {
  expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
  expect([...new Set(epochsOf(events))].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: plan.epochs }, (_, i) => i + 1),
  );
}
