import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { followToTheEnd } from "../support/events.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

/** On a graph so small its epochs pass by the hundred in a second. */
const numNodes = 150;
const numEdges = 600;
const epochs = 1000;
const spec = (dataset: string, project: string) => ({
  dataset,
  project,
  task: { target: "label" },
  model: { type: "sage", options: { hiddenFeats: 8 } },
  sampling: { type: "full" },
  train: { epochs },
});

const dir = mkdtempSync(join(tmpdir(), "hw-away-"));
let stack: Stack;
let client: Client;
let undisturbed: JobState;

beforeAll(async () => {
  await writeCitationGraph(dir, { numNodes, numEdges, seed: 7 });
  stack = await Stack.startOnServer();
  client = stack.client;
  undisturbed = await client.finished(await submitAnew("undisturbed"), 300);
  expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
}, 480_000);
afterAll(async () => {
  await stack?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A job in a project of its own, where nothing can be reused. */
async function submitAnew(name: string): Promise<string> {
  const project = await client.makeProject(name);
  const files = [join(dir, "edges.csv"), join(dir, "nodes.csv")];
  return client.submit(spec(await client.makeDataset(name, files, undefined, project), project));
}

/** Bytes that wait in the worker's outbox. */
function waitingBytes(): number {
  const folder = join(stack.dir, "worker", "outbox");
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Every entry put into a stream of events from now on, as `<stream> <id>`. */
async function noteEntries(): Promise<{ readonly entries: string[]; stop(): void }> {
  const redis = new Redis({ path: stack.redisSocket });
  const monitor = await redis.monitor();
  const entries: string[] = [];
  monitor.on("monitor", (_time: string, [command, stream, ...rest]: string[]) => {
    if (command?.toLowerCase() !== "xadd" || !stream?.startsWith("hw:events:")) return;
    entries.push(`${stream} ${rest.find((text) => /^\d+-0$/.test(text))}`);
  });
  const stop = () => {
    monitor.disconnect();
    redis.disconnect();
  };
  return { entries, stop };
}

it("a service away while a busy job runs takes up what gathered once each, stops others at once, and the job ends with the undisturbed bits", async () => {
  const noted = await noteEntries();
  const other = await submitAnew("other");
  const busy = await submitAnew("busy");
  await until("both jobs' epochs", async () => {
    const stages = [await client.job(other), await client.job(busy)].map(({ stages }) => stages);
    return stages.every((of) => of.some(({ kind, state }) => kind === "train" && state === "RUNNING"));
  });
  process.kill(stack.api.pid, "SIGSTOP");
  // Both go on training without the service, and tell of several hundred epochs.
  await until("events without a reader", () => waitingBytes() > 60_000, 240);
  await stack.api.kill();
  stack.api.start();
  await stack.ready();

  await client.graphql("mutation($id: ID!) { cancelJob(id: $id) { id } }", { id: other });
  expect(["CANCELLED", "SUCCEEDED"]).toContain((await client.finished(other, 60)).state);
  const job = await client.finished(busy, 300);
  expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
  expect(job.attempt).toBe(1);
  expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
  const events = await followToTheEnd(client, busy);
  expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
  expect(epochsOf(events)).toEqual(Array.from({ length: epochs }, (_, i) => i + 1));
  noted.stop();
  const ofBusy = noted.entries.filter((entry) => entry.includes(busy));
  expect(ofBusy.length).toBeGreaterThan(20);
  expect(new Set(ofBusy).size).toBe(ofBusy.length);
}, 600_000);
