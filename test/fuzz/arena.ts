import { mkdtempSync, openAsBlob, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { z } from "zod";
import { startApp } from "../../apps/api/test/support/start-app.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";
import { EventLoopWatch } from "./event-loop-watch.ts";
import { type Answer, exchange, type Message } from "./exchange.ts";
import type { JsonSchema } from "./sample-schema.ts";

/** A route as the application declares it. */
export interface Route {
  readonly method: string;
  readonly url: string;
  readonly querystring: JsonSchema | null;
  readonly body: JsonSchema | null;
}

/** How many of each kind of thing cases may change or delete, without taking from the others what they read. */
export const numSpares = 8;

/** Longer than any answer takes on a machine that others use as well */
export const patienceMs = 20_000;

/**
 * A real service, with a dataset and a job that is done, to be told nonsense. Cases name what there is by `{{name}}`,
 * as ids differ from run to run.
 */
export class Arena {
  readonly stack: Stack;
  readonly routes: readonly Route[];
  readonly #names: Readonly<Record<string, string>>;
  readonly #watch: EventLoopWatch;

  private constructor(
    stack: Stack,
    routes: readonly Route[],
    names: Readonly<Record<string, string>>,
    watch: EventLoopWatch,
  ) {
    this.stack = stack;
    this.routes = routes;
    this.#names = names;
    this.#watch = watch;
  }

  static async start(): Promise<Arena> {
    const routes = await declaredRoutes();
    const stack = await Stack.startOnServer({ HOPWISE_REQUESTS_PER_MINUTE: "10000000", HOPWISE_LOG_LEVEL: "error" });
    try {
      const names = await furnish(stack);
      // From here on jobs wait: what they would do with their specs is the worker's matter, and takes the machine's
      // time.
      await stack.worker.kill("SIGTERM");
      const watch = new EventLoopWatch(stack.url, () => stack.api.pid);
      watch.start();
      return new Arena(stack, routes, names, watch);
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** The text with real ids in the place of names. */
  resolve(text: string): string {
    return text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => this.#names[name] ?? whole);
  }

  async send(message: Message): Promise<Answer> {
    const headers = Object.fromEntries(
      Object.entries(message.headers).map(([name, value]) => [name, this.resolve(value)] as const),
    );
    const [path, body, raw] = [message.path, message.body, message.raw].map((text) => text && this.resolve(text));
    return exchange(this.stack.url, { ...message, path: path ?? "", headers, body, raw }, patienceMs);
  }

  /** What has happened to the service since the last time this was asked; a dead one is started again. */
  async harm(): Promise<string | null> {
    if (this.stack.api.hasEnded) {
      const lastWords = this.stack.logOf("api").trimEnd().split("\n").slice(-12).join("\n");
      this.stack.api.start();
      await until("the API", async () => (await fetch(`${this.stack.url}/readyz`).catch(() => null))?.ok);
      return `the API died: ${lastWords}`;
    }
    return this.#watch.takeStall();
  }

  /** What the API wrote about errors of its own. */
  get log(): string {
    return this.stack.logOf("api");
  }

  async stop(): Promise<void> {
    await this.#watch.stop();
    await this.stack.stop();
  }
}

async function declaredRoutes(): Promise<Route[]> {
  const app = await startApp();
  try {
    return app.server.declaredRoutes.map(({ method, url, route }) => ({
      method,
      url,
      querystring: jsonSchemaOf(route.schema?.querystring),
      body: jsonSchemaOf(route.schema?.body),
    }));
  } finally {
    await app.close();
  }
}

function jsonSchemaOf(schema: unknown): JsonSchema | null {
  if (!(schema instanceof z.ZodType)) return null;
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** A dataset with its graph, a trained job with its artifacts, and spares. */
async function furnish(stack: Stack): Promise<Record<string, string>> {
  const { client } = stack;
  const dir = mkdtempSync(join(tmpdir(), "hw-fuzz-"));
  try {
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, {
      numNodes: 60,
      numEdges: 200,
      featureDim: 4,
      seed: 3,
    });
    const dataset = await client.makeDataset("fuzzed", [edgesFile, nodesFile]);
    const train = { epochs: 1, batchSize: 64 };
    const job = await client.finished(await client.submit({ dataset, task: { target: "label" }, train }));
    if (job.state !== "SUCCEEDED") throw new Error(`${job.state}: ${JSON.stringify(job.problem)}`);
    const spares: [string, string][] = [];
    for (let i = 0; i < numSpares; i++) spares.push(...(await makeSpares(stack, i, edgesFile)));
    const { datasets } = await client.graphql<{
      datasets: { edges: { node: { id: string; latest: { id: string } } }[] };
    }>("{ datasets(first: 200) { edges { node { id latest { id } } } } }");
    const version = datasets.edges.find(({ node }) => node.id === dataset)?.node.latest.id ?? "";
    const artifacts = job.artifacts.map(({ kind, id }) => [`artifact_${kind}`, id] as const);
    const authorization = client.headers["authorization"] ?? "";
    return { authorization, dataset, version, job: job.id, ...Object.fromEntries([...artifacts, ...spares]) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function makeSpares({ client }: Stack, i: number, file: string): Promise<[string, string][]> {
  const made = await client.graphql<{
    spare: { id: string; latest: { id: string } };
    doomed: { id: string };
    key: { key: { id: string } };
  }>(`mutation {
    spare: createDataset(name: "spare ${i}") { id latest { id } }
    doomed: createDataset(name: "doomed ${i}") { id }
    key: createApiKey(input: { name: "doomed ${i}", role: VIEWER }) { key { id } }
  }`);
  const answer = await uploadOnly(client.url, client.headers, made.spare.id, file);
  if (answer !== 201) throw new Error(`upload: ${answer}`);
  return [
    [`spareDataset${i}`, made.spare.id],
    [`spareVersion${i}`, made.spare.latest.id],
    [`doomedDataset${i}`, made.doomed.id],
    [`doomedKey${i}`, made.key.key.id],
  ];
}

async function uploadOnly(url: string, headers: Record<string, string>, id: string, file: string): Promise<number> {
  const form = new FormData();
  form.append("file", await openAsBlob(file), "edges.csv");
  const path = `${url}/v1/datasets/${id}/files?preview=false`;
  return (await fetch(path, { method: "POST", headers, body: form })).status;
}
