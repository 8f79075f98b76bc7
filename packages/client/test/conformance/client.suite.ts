import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Stack } from "../../../../test/support/stack.ts";
import { HopwiseClient, succeededJob } from "../../src/index.ts";
import { openFile } from "../../src/node/index.ts";
import { DisturbingProxy } from "../support/disturbing-proxy.ts";
import { type Do, madeFile } from "./exchanges.ts";

const papers = fileURLToPath(new URL("../../../../examples/papers/", import.meta.url));
const megabyte = 2 ** 20;

/** What a place of the suite is given: the service behind the proxy. */
export interface Service {
  readonly url: string;
  readonly key: string;
}

/** A place where a client runs. */
export interface Place {
  readonly do: Do;
  stop(): Promise<void>;
}

/** For tests of one place alone. */
export interface Scene {
  readonly proxy: DisturbingProxy;
  /** Through the proxy. */
  readonly client: HopwiseClient;
  /** The service itself, and its data folder. */
  readonly url: string;
  readonly dataDir: string;
  /** A job that has succeeded. */
  readonly trained: string;
}

/** What the client promises, tried against a real service, in a place of its own. */
export function clientSuite(
  name: string,
  open: (service: Service) => Promise<Place>,
  furtherTests: (scene: () => Scene) => void = () => {},
): void {
  let stack: Stack;
  let proxy: DisturbingProxy;
  let place: Place;
  let key: string;
  /** Around the proxy, to see what there is. */
  let direct: HopwiseClient;
  let dataset: string;
  let trained: string;

  const spec = (more: object = {}) => ({
    version: 1,
    kind: "train",
    name: "papers",
    dataset,
    task: { target: "subject" },
    resources: { ranks: 1 },
    train: { epochs: 4 },
    ...more,
  });

  beforeAll(async () => {
    stack = await Stack.startOnServer();
    key = readFileSync(join(stack.dir, "secrets/admin-api-key"), "utf8").trim();
    direct = new HopwiseClient({ url: stack.url, key });
    proxy = await DisturbingProxy.before(stack.url);
    place = await open({ url: proxy.url, key });
    dataset = await ingestedPapers(direct);
    trained = (await direct.call("POST /v1/jobs", { body: spec(), idempotencyKey: randomUUID() })).id;
    await succeededJob(direct, trained);
  });
  afterAll(async () => {
    await place?.stop();
    await proxy?.stop();
    await stack?.stop();
  });

  /** The job's cursors as the service sends them to somebody who reads the stream at one go, without this client. */
  async function cursorsOf(id: string): Promise<string[]> {
    const headers = { authorization: `Bearer ${key}` };
    const text = await (await fetch(`${stack.url}/v1/jobs/${id}/events`, { headers })).text();
    return [...text.matchAll(/^id: (\d+)$/gm)].map(([, cursor = ""]) => cursor);
  }

  describe(`in ${name}`, () => {
    test("an upload tells how far it is, and arrives as it was", async () => {
      const id = await place.do("makeDataset", { name: "progress" });
      const bytes = 48 * megabyte + 7;
      const { progress, files } = await place.do("upload", { id, name: "größe.csv", bytes });
      const sha256 = createHash("sha256")
        .update(await madeFile("", bytes).bytes())
        .digest("hex");
      expect(files).toEqual([{ name: "größe.csv", bytes, sha256 }]);
      expect(progress.length).toBeGreaterThan(1);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect(progress.at(-1)).toBe(bytes);
    });

    test("an upload that is cancelled ends at once, and the dataset has nothing of it", async () => {
      const id = await place.do("makeDataset", { name: "cancel" });
      proxy.disturb("POST", /files/, { holdRequestAfter: megabyte });
      const { rejection, sentBytes } = await place.do("uploadAndCancel", {
        id,
        name: "edges.csv",
        bytes: 64 * megabyte,
      });
      expect(rejection).toEqual({ name: "AbortError" });
      expect(sentBytes).toBeLessThan(64 * megabyte);
      const { versions } = await direct.call("GET /v1/datasets/:id", { params: { id } });
      expect(versions[0]?.sources).toEqual([]);
    });

    test("a stream of events that is cut again and again brings each event once, in order", async () => {
      const expected = await cursorsOf(trained);
      expect(expected.length).toBeGreaterThan(20);
      const cuts = [0, 40, 700, 1500, 333].map((cutAnswerAfter) => ({ cutAnswerAfter }));
      proxy.disturb("GET", /events/, ...cuts);
      const { cursors, types } = await place.do("follow", { id: trained });
      expect(cursors).toEqual(expected);
      expect(types.at(-1)).toBe("JobStateChanged");
      const resumed = proxy.seen.flatMap(({ headers }) => headers["last-event-id"] ?? []);
      expect(resumed.length).toBeGreaterThanOrEqual(3);
      expect(resumed.at(-1)).toBe(expected.at(-1));
    });

    test("a stream that falls silent is given up for another, and nothing is missed", async () => {
      proxy.disturb("GET", /events/, { muteAnswerAfter: 900 });
      const { cursors } = await place.do("follow", { id: trained, silenceMs: 300 });
      expect(cursors).toEqual(await cursorsOf(trained));
      expect(proxy.seen.length).toBeGreaterThanOrEqual(2);
    });

    test("who has read enough of a stream leaves it", async () => {
      expect(await place.do("followTwoEvents", { id: trained })).toEqual((await cursorsOf(trained)).slice(0, 2));
    });

    test("a job is followed live to its end, through a connection that breaks", async () => {
      const id = await place.do("submit", { spec: spec({ name: "live", train: { epochs: 6 } }), key: randomUUID() });
      proxy.disturb("GET", /events/, { cutAnswerAfter: 1000 }, { answer: 503 }, { cutAnswerAfter: 1000 });
      const { state, states } = await place.do("finish", { id });
      expect(state).toBe("SUCCEEDED");
      expect(states.filter((one) => one === "SUCCEEDED")).toHaveLength(1);
    });

    test("a job that is submitted again, because its answer was lost, is one job", async () => {
      proxy.disturb("POST", /jobs$/, { loseAnswer: true }, { answer: 503 });
      const id = await place.do("submit", { spec: spec({ name: "only once" }), key: randomUUID() });
      expect(proxy.seen.filter(({ method }) => method === "POST").length).toBeGreaterThanOrEqual(3);
      const { items } = await direct.call("GET /v1/jobs", { query: { search: "only once" } });
      expect(items.map((job) => job.id)).toEqual([id]);
    });

    test("what may have had its effect, and has no key, is not sent twice", async () => {
      // Chromium itself sends again what got no byte of an answer over a connection that it had before.
      proxy.disturb("POST", /datasets$/, { cutAnswerAfter: 5 });
      expect(await place.do("makeDatasetInVain", { name: "at most once" })).toMatchObject({ code: "UNREACHABLE" });
      const { items } = await direct.call("GET /v1/datasets");
      expect(items.filter((one) => one.name === "at most once")).toHaveLength(1);
    });

    test("what reads is asked again when there is no answer, or none for the moment", async () => {
      const { totalCount } = await direct.call("GET /v1/jobs");
      const wait = { "retry-after": "0" };
      proxy.disturb(
        "GET",
        /jobs/,
        { loseAnswer: true },
        { answer: 503, headers: wait },
        { answer: 429, headers: wait },
      );
      expect(await place.do("countJobs", {})).toBe(totalCount);
      expect(proxy.seen.length).toBeGreaterThanOrEqual(4);
    });

    test("a refusal is an error with the problem's code, its place and its status", async () => {
      const wrong = spec({ train: { epochs: -1 } });
      const problem = { name: "ProblemError", code: "JOB_SPEC_INVALID", pointer: "/train/epochs", status: 422 };
      expect(await place.do("submitWrongly", { spec: wrong })).toEqual(problem);
      expect(await place.do("readInVain", { id: "job_nothing" })).toMatchObject({
        code: "REQUEST_NOT_FOUND",
        status: 404,
      });
      const id = await place.do("makeDataset", { name: "wrong name" });
      expect(await place.do("uploadWrongly", { id, name: "..csv\u0007" })).toMatchObject({ code: "DATASET_FILE_NAME" });
    });

    test("an answer of somebody else, such as a proxy, is an error too", async () => {
      proxy.disturb("GET", /jobs/, { answer: 418 });
      expect(await place.do("readInVain", { id: trained })).toMatchObject({ code: "INTERNAL", status: 418 });
    });

    test("a blob comes as its bytes, also over a second connection", async () => {
      const { items } = await direct.call("GET /v1/jobs/:id/artifacts", { params: { id: trained } });
      const { id = "", blobs = [] } = items.find(({ kind }) => kind === "projection") ?? {};
      const [blob] = blobs;
      proxy.disturb("GET", /artifacts/, { cutAnswerAfter: 100 });
      const bytes = await place.do("read", { id, blob: blob?.name ?? "" });
      expect(createHash("sha256").update(Uint8Array.from(bytes)).digest("hex")).toBe(blob?.sha256);
    });

    test("GraphQL gives its data, or the first problem as the same kind of error", async () => {
      const query = "query($id: ID!) { job(id: $id) { id state } }";
      proxy.disturb("POST", /graphql/, { loseAnswer: true });
      const data = await place.do("askGraphql", { query, variables: { id: trained } });
      expect(data).toEqual({ job: { id: trained, state: "SUCCEEDED" } });
      const mutation = "mutation($spec: JobSpecInput!) { submitJob(spec: $spec) { id } }";
      const wrong = { query: mutation, variables: { spec: spec({ train: { epochs: -1 } }) } };
      expect(await place.do("askGraphqlInVain", wrong)).toMatchObject({
        code: "JOB_SPEC_INVALID",
        pointer: "/train/epochs",
      });
    });
    furtherTests(() => ({
      proxy,
      client: new HopwiseClient({ url: proxy.url, key }),
      url: stack.url,
      dataDir: stack.dir,
      trained,
    }));
  });
}

/** The papers of the examples as a dataset whose graph is built. */
async function ingestedPapers(client: HopwiseClient): Promise<string> {
  const { id } = await client.call("POST /v1/datasets", { body: { name: "papers" } });
  const files = await Promise.all(["edges.csv", "nodes.csv"].map((name) => openFile(papers + name)));
  const { previewJob } = await client.upload("POST /v1/datasets/:id/files", { params: { id }, files });
  await succeededJob(client, previewJob ?? "");
  const { proposed } = await client.call("GET /v1/datasets/:id/preview", { params: { id } });
  const ingest = await client.call("PUT /v1/datasets/:id/spec", { params: { id }, body: proposed });
  await succeededJob(client, ingest.id);
  return id;
}
