import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { redisKeys, type StageTask, stageTask } from "@hopwise/contracts";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { canCutConnections, cutRankConnections, type RankConnection } from "../support/cut-connections.ts";
import { worstDifference } from "../support/dense-sage.ts";
import { Hold } from "../support/hold.ts";
import { downloadParquet } from "../support/parquet.ts";
import type { Program } from "../support/program.ts";
import { Stack } from "../support/stack.ts";
import { resultDigests } from "../support/struck-job.ts";
import { typedMapping, writeTypedFiles } from "../support/typed-files.ts";
import { WiredNamespaces } from "../support/wired-namespaces.ts";

interface Place {
  readonly project: string;
  readonly dataset: string;
}

const doctor = fileURLToPath(new URL("../../apps/gpu-worker/dist/doctor.js", import.meta.url));
const mayCut = await canCutConnections();
const wired = WiredNamespaces.create();

describe("two ranks on two hosts", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-hosts-"));
  const hold = new Hold();
  let stack: Stack;
  let client: Client;
  /**
   * Shares no folder and no password: it has what the API gives it for the grants of its tasks, and a user of Redis of
   * its own.
   */
  let second: Program;
  let redisOfSecond: string;
  let one: Place;
  let onOneHost: JobState;
  let apart: JobState;
  /** What the second host asked the API for while `apart` trained, and what its grant was good for */
  let overHttp: OverHttp;
  /** Files of parts that each worker fetched for `apart`, before any other job ran */
  let fetchedApart: string[][];

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 400, numEdges: 2000, seed: 7 });
    stack = await Stack.startOnServer({ HOPWISE_RANK_ADDRESS: "127.0.0.2", ...hold.env });
    client = stack.client;
    one = await place("one");
    redisOfSecond = await stack.credentialFor("second");
    second = await stack.addWorker("second", {
      HOPWISE_RANK_ADDRESS: "127.0.0.3",
      ARTIFACTS_URL: stack.url,
      REDIS_URL: redisOfSecond,
    });
    hold.arm("all-reduce", { epoch: 1, step: 1 });
    const apartId = await submit(one, { hosts: 2, graph: "partitioned" });
    await hold.reached();
    overHttp = await useGrantOfSecond(apartId);
    hold.release();
    apart = await succeeded(apartId);
    fetchedApart = [stack.dir, join(stack.dir, "second")].map(filesOfParts);
    onOneHost = await succeeded(await submit(one, { hosts: 1 }));
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    wired?.remove();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const redis = (...command: string[]) =>
    execFileSync("redis-cli", ["-s", stack.redisSocket, "--raw", ...command], { encoding: "utf8" }).trim();

  /** The task of the second host's slice of the training, read from Redis as its worker reads it. */
  function trainTaskOfSecond(jobId: string): StageTask {
    const key = `bull:${redisKeys.workerQueue("second")}:${jobId}-1-1`;
    // The task and, while its worker has it, its lock.
    const found = redis("keys", `${key}*`)
      .split("\n")
      .find((name) => !name.endsWith(":lock"));
    return stageTask.parse(JSON.parse(redis("hget", found ?? key, "data")));
  }

  async function useGrantOfSecond(jobId: string): Promise<OverHttp> {
    const asked = blobsAskedFor(stack.logOf("api"));
    const { grant, inputs, slice } = trainTaskOfSecond(jobId);
    const statusOf = async (part: number) => {
      const url = `${stack.url}/v1/store/${inputs["parts"]?.prefix}/part${part}/indptr.npy`;
      return (await fetch(url, { headers: { authorization: `Bearer ${grant}` } })).status;
    };
    const own = slice.ranks.first;
    return { asked, own, statusOf, meanwhile: [await statusOf(own), await statusOf(1 - own)] };
  }

  /** A project of its own, where nothing can be reused. */
  async function place(name: string): Promise<Place> {
    const project = await client.makeProject(name);
    const files = [join(dir, "edges.csv"), join(dir, "nodes.csv")];
    return { project, dataset: await client.makeDataset(name, files, undefined, project) };
  }

  function submit(where: Place, resources: object, further: object = {}): Promise<string> {
    return client.submit({
      ...where,
      task: { target: "label" },
      partition: { options: { numParts: 2 } },
      model: { type: "sage", options: { hiddenFeats: 16 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
      train: { epochs: 3, batchSize: 64 },
      resources: { ranks: 2, ...resources },
      ...further,
    });
  }

  async function succeeded(jobId: string): Promise<JobState> {
    const job = await client.finished(jobId, 200);
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    return job;
  }

  async function losses(job: JobState): Promise<number[]> {
    const { job: told } = await client.graphql<{ job: { series: { name: string; values: number[] }[] } }>(
      "query($id: ID!) { job(id: $id) { series { name values } } }",
      { id: job.id },
    );
    return told.series.find(({ name }) => name === "train/loss")?.values ?? [];
  }

  /** The file's values, behind its header of whole 64 bytes */
  async function learnedRows(job: JobState): Promise<Float32Array> {
    const file = await client.blob(job, "model", "node_embedding.npy");
    return new Float32Array(file.slice(file.length - 400 * 8 * 4).buffer);
  }

  const rowsOf = (job: JobState) => downloadParquet(client, "embeddings", job.id);

  /** Largest difference of their rows, by original id. */
  async function difference(found: JobState, expected: JobState): Promise<number> {
    const rows = (await rowsOf(expected)) as { id: unknown; embedding: number[] }[];
    expect(rows).toHaveLength(400);
    return worstDifference(await rowsOf(found), new Map(rows.map(({ id, embedding }) => [String(id), embedding])));
  }

  it.each([1, 2])(
    "that hold a part each, on %i, learn by the same bits as with all parts, and infer the same rows",
    async (hosts) => {
      const job =
        hosts === 2 ? apart : await succeeded(await submit(await place("parts"), { hosts: 1, graph: "partitioned" }));
      expect(job.attempt).toBe(1);
      const expected = await losses(onOneHost);
      expect(expected).toHaveLength(3);
      expect(await losses(job)).toEqual(expected);
      expect(await difference(job, onOneHost)).toBeLessThan(1e-5);
    },
    240_000,
  );

  it("that hold a part each fetch that one: of the other's, the host that remaps has labels and split alone", () => {
    expectOwnParts(fetchedApart);
  });

  it("that share no folder have from the API what their own ranks open; a foreign part is answered 403, as is all when the stage is over", async () => {
    const { asked, own, meanwhile, statusOf } = overHttp;
    const ofParts = asked.flatMap((path) => /part\d+(?=\/)/.exec(path)?.[0] ?? []);
    expect(ofParts.length).toBeGreaterThan(3);
    expect(new Set(ofParts)).toEqual(new Set([`part${own}`]));
    expect(meanwhile).toEqual([200, 403]);
    expect([await statusOf(own), await statusOf(1 - own)]).toEqual([403, 403]);
    // The doctor's check has a grant too.
    const env = { PATH: process.env["PATH"], REDIS_URL: redisOfSecond, HOPWISE_DATA: stack.dir };
    expect(execFileSync("node", [doctor], { env, encoding: "utf8" })).toContain("All is well.");
  }, 240_000);

  it("of which one has a user of Redis of its own, which could do all that and nothing was refused", () => {
    expect(redis("acl", "log")).toBe("");
    expect(redis("client", "list")).toContain("user=hopwise-worker-second");
  });

  it.skipIf(!mayCut).each<RankConnection>(["Gloo", "row service"])(
    "whose %s connections are cut in mid-epoch start again from the last checkpoint, and end with the same bits (as root)",
    async (kind) => {
      hold.arm("all-reduce", { epoch: 2, step: 1 });
      const jobId = await submit(await place(kind), { hosts: 2, graph: "partitioned" });
      const { pid } = await hold.reached();
      expect(cutRankConnections(pid, kind)).toBeGreaterThan(0);
      hold.release();
      const job = await succeeded(jobId);
      expect(job.attempt).toBe(2);
      expect(job.incidents).toMatchObject([{ attempt: 1, code: expect.stringMatching(/^RANK_/) }]);
      expect(resultDigests(job)).toEqual(resultDigests(apart));
    },
    240_000,
  );

  it("learn by the same bits from batches that sampler processes on the other host have drawn", async () => {
    const job = await succeeded(await submit(one, { hosts: 2, samplers: 2 }));
    expect(job.attempt).toBe(1);
    const { job: told } = await client.graphql<{
      job: { ranks: { name: string; memberKind: string; rank: number | null; step: number; host: string }[] };
    }>("query($id: ID!) { job(id: $id) { ranks { name memberKind rank step host } } }", { id: job.id });
    expect(told.ranks.map(({ name, memberKind, rank }) => [name, memberKind, rank])).toEqual([
      ["0", "RANK", 0],
      ["1", "RANK", 1],
      ["sampler 0", "SAMPLER", null],
      ["sampler 1", "SAMPLER", null],
    ]);
    const hosts = told.ranks.map(({ host }) => host);
    expect([hosts[1], hosts[3]]).toEqual([hosts[0], hosts[2]]);
    // A batch for each rank in every step
    const drawn = told.ranks.slice(2).reduce((sum, { step }) => sum + step, 0);
    expect(drawn).toBe(told.ranks.slice(0, 2).reduce((sum, { step }) => sum + step, 0));
    expect(await losses(job)).toEqual(await losses(onOneHost));
    expect(await difference(job, onOneHost)).toBe(0);
  }, 240_000);

  it("learn a row for every node as one rank does, and keep it with the model, also with a part each", async () => {
    const further = { features: { embedding: { dim: 8 } } };
    const alone = await succeeded(await submit(one, { ranks: 1 }, further));
    const expected = await losses(alone);
    expect(expected).toHaveLength(3);
    const rows = await learnedRows(alone);
    expect(rows).toHaveLength(400 * 8);
    for (const graph of ["shared", "partitioned"]) {
      const job = await succeeded(await submit(one, { hosts: 2, graph }, further));
      expect(job.attempt).toBe(1);
      const found = await losses(job);
      for (const [epoch, loss] of expected.entries()) expect(Math.abs((found[epoch] ?? 0) - loss)).toBeLessThan(1e-5);
      expect(await difference(job, alone)).toBeLessThan(1e-5);
      const learned = await learnedRows(job);
      expect(rows.reduce((max, value, i) => Math.max(max, Math.abs(value - learned[i]!)), 0)).toBeLessThan(1e-5);
    }
  }, 240_000);

  it.each([
    ["links", { task: { type: "linkPrediction", dim: 8, newNeighbors: 2 } }, "gcn"],
    ["nodes of a typed graph", { task: { target: "label" } }, "rsage"],
    ["links of a typed graph", { task: { type: "linkPrediction", dim: 8, newNeighbors: 2 } }, "rsage"],
  ])(
    "that hold a part each, or have sampler processes, learn %s by the bits of two with all parts, and one rank to 1e-5",
    async (name, further, type) => {
      const spec = { ...further, model: { type, options: { hiddenFeats: 16 } } };
      const project = await client.makeProject(name);
      const isTyped = type === "rsage";
      const files = isTyped ? writeTypedFiles(dir) : [join(dir, "edges.csv"), join(dir, "nodes.csv")];
      const mapping = isTyped ? typedMapping : undefined;
      const where = { project, dataset: await client.makeDataset(name, files, mapping, project) };
      const alone = await succeeded(await submit(where, { ranks: 1, hosts: 1 }, spec));
      const together = await succeeded(await submit(where, { hosts: 1 }, spec));
      const expected = await losses(together);
      expect(expected).toHaveLength(3);
      for (const [epoch, loss] of (await losses(alone)).entries()) {
        expect(Math.abs(loss / expected[epoch]! - 1)).toBeLessThan(1e-5);
      }
      for (const resources of [
        { hosts: 2, graph: "partitioned" },
        { hosts: 2, samplers: 1 },
      ]) {
        const job = await succeeded(await submit(where, resources, spec));
        expect(job.attempt).toBe(1);
        expect(await losses(job)).toEqual(expected);
        const metricsOf = ({ artifacts }: JobState) => artifacts.find(({ kind }) => kind === "model")?.info["metrics"];
        const [found, told] = [job, together].map((of) => metricsOf(of) as Record<string, number>);
        for (const [metric, value] of Object.entries(told!)) expect(found![metric]).toBeCloseTo(value, 5);
      }
    },
    480_000,
  );

  it("give the bits of two ranks on one host, whose names the job tells; a host killed in between changes nothing", async () => {
    const together = await succeeded(await submit(await place("two"), { hosts: 2 }));
    expect(together.attempt).toBe(1);
    expect(resultDigests(together)).toEqual(resultDigests(onOneHost));

    hold.arm("all-reduce", { epoch: 2, step: 1 });
    const jobId = await submit(await place("struck"), { hosts: 2 });
    await hold.reached();
    await second.kill();
    hold.release();
    const struck = await succeeded(jobId);
    expect(struck.attempt).toBe(2);
    expect(struck.incidents.map(({ code }) => code)).toContain("WORKER_LOST");
    expect(resultDigests(struck)).toEqual(resultDigests(onOneHost));
  }, 480_000);

  it.skipIf(!wired)(
    "with nothing but a wire between them give the same bits over it, from a part each (as root)",
    async () => {
      const [a, b] = (wired as WiredNamespaces).ends;
      for (const [id, { namespace, address }] of Object.entries({ a, b })) {
        const env = { HOPWISE_RANK_ADDRESS: address, HOPWISE_WORKER_LABELS: "wire=yes" };
        await stack.addWorker(`wired-${id}`, env, namespace);
      }
      const resources = { hosts: 2, graph: "partitioned", workerLabels: { wire: "yes" } };
      const job = await succeeded(await submit(await place("wired"), resources));
      expect(resultDigests(job)).toEqual(resultDigests(apart));
      expectOwnParts(["wired-a", "wired-b"].map((id) => filesOfParts(join(stack.dir, id))));
      // Both weights and rows have gone over it.
      for (const end of [a, b]) expect(WiredNamespaces.receivedBytes(end)).toBeGreaterThan(50_000);
    },
    240_000,
  );
});

interface OverHttp {
  /** Paths in the API's store */
  readonly asked: readonly string[];
  /** The part of its rank */
  readonly own: number;
  /** HTTP status of that part's blob under its grant: while it trained, for its own part and the other; and now */
  readonly meanwhile: readonly number[];
  readonly statusOf: (part: number) => Promise<number>;
}

/** Blobs asked of the artifact store, as the API's log tells. */
function blobsAskedFor(log: string): string[] {
  const lines = log.split("\n").filter((line) => line.includes("/v1/store/") && line.includes('"GET"'));
  return lines.map((line) => (JSON.parse(line) as { req: { path: string } }).req.path);
}

/** Expects that each of two hosts has fetched its own part */
function expectOwnParts(fetched: readonly (readonly string[])[]): void {
  const heldBy = fetched.map((files) => files.filter((file) => file.endsWith("/indptr.npy")));
  expect(heldBy.flat().toSorted()).toEqual(["part0/indptr.npy", "part1/indptr.npy"]);
  for (const [host, files] of fetched.entries()) {
    const [own = "none"] = (heldBy[host] ?? []).map((file) => file.split("/")[0]);
    const foreign = files.filter((file) => !file.startsWith(`${own}/`));
    expect(foreign.every((file) => /^part[01]\/(labels|split)\.npy$/.test(file))).toBe(true);
  }
  // Both files of a part are on one host only.
  const numParts = fetched.map((files) => new Set(files.map((file) => file.split("/")[0])).size);
  expect(numParts.toSorted((a, b) => a - b)).toEqual([1, 2]);
}

/** By their names inside the artifact */
function filesOfParts(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, "worker/cache/entries"), { recursive: true, encoding: "utf8" });
  return names.flatMap((name) => name.match(/(?<=\/)part\d+\/.*\.npy$/)?.[0] ?? []);
}
