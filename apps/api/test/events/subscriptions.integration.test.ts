import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { submitMap } from "../../src/datasets/submit-map.ts";
import { componentsOf } from "../scheduler/support/fixture-registry.ts";
import { PrivateRedis } from "../scheduler/support/private-redis.ts";
import { type ScriptedStage, ScriptedWorker } from "../scheduler/support/scripted-worker.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

let redis: PrivateRedis;
let app: TestApp;
let worker: ScriptedWorker;
let jobId: string;
let openGate: () => void;
let address: string;

const countTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** A preview whose worker says ten things, waits for the test, says ten more and succeeds. */
async function talk(stage: ScriptedStage, gate: Promise<void>): Promise<void> {
  for (const i of countTo(10)) await stage.log(`${i}`);
  await gate;
  for (const i of countTo(10)) await stage.metric("train/loss", i, 1 / i);
  await stage.succeed();
}

beforeAll(async () => {
  redis = await PrivateRedis.start();
  app = await startApp({ REDIS_URL: redis.url });
  const place = app.server.server.address();
  address = typeof place === "object" && place ? `127.0.0.1:${place.port}` : "";
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  worker = new ScriptedWorker({
    redis,
    components: componentsOf(app.services.registry),
    script: (stage) => talk(stage, gate),
  });
  const { prisma } = app.services;
  const user = await prisma.user.findFirstOrThrow();
  const project = await prisma.project.findFirstOrThrow();
  const owner = { projectId: project.id, createdBy: user.id };
  await prisma.dataset.create({ data: { ...owner, id: "ds_test", name: "test" } });
  const files = { id: "art_files", kind: "files", prefix: "files", digest: "d", bytes: 1, info: {}, blobs: [] };
  const version = { ...owner, id: "dsv_test", datasetId: "ds_test", number: 1, filesId: "art_files" };
  // Both at once: a sweep takes away an artifact that nothing refers to.
  await prisma.$transaction([
    prisma.artifact.create({ data: { ...owner, ...files } }),
    prisma.datasetVersion.create({ data: version }),
  ]);
  const viewer = { userId: user.id, name: user.name, role: user.role, projectId: null, via: "key" as const };
  jobId = (await submitMap(app.services, viewer, "dsv_test", {})).id;
});

afterAll(async () => {
  await worker.die();
  await app.close();
  await redis.stop();
});

const query = `subscription ($jobId: ID!, $after: String) {
  jobEvents(jobId: $jobId, after: $after) {
    __typename cursor at attempt
    ... on JobStateChanged { state problem { code } }
    ... on StageProgressed { stageIndex kind stageState: state phase completed total unit etaSeconds }
    ... on LogAppended { level message rank }
    ... on MetricsRecorded { axis step values { name value } }
    ... on ArtifactReady { artifactId kind bytes artifact { digest } }
  }
}`;

interface SeenEvent {
  readonly __typename: string;
  readonly cursor: string;
  readonly message?: string;
  readonly state?: string;
}

async function* subscribe(after: string | null, key: string): AsyncGenerator<SeenEvent> {
  const client = createClient({
    url: `ws://${address}/graphql`,
    webSocketImpl: (await import("ws")).WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
  });
  try {
    for await (const { data, errors } of client.iterate<{ jobEvents: SeenEvent }>({
      query,
      variables: { jobId, after },
    })) {
      if (errors) throw new Error(JSON.stringify(errors));
      if (data) yield data.jobEvents;
    }
  } finally {
    await client.dispose();
  }
}

async function readSse(headers: Record<string, string>, wanted = Number.POSITIVE_INFINITY) {
  const abort = new AbortController();
  const response = await fetch(`http://${address}/v1/jobs/${jobId}/events`, {
    headers: { authorization: `Bearer ${app.adminKey}`, ...headers },
    signal: abort.signal,
  });
  const messages: { id: number; event: string; data: { type: string; body: Record<string, unknown> } }[] = [];
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString("utf8");
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const [, id, event, data] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(part) ?? [];
      if (id && event && data) messages.push({ id: Number(id), event, data: JSON.parse(data) });
    }
    if (messages.length >= wanted) break;
  }
  abort.abort();
  return { status: response.status, type: response.headers.get("content-type"), messages };
}

describe("a job's events", () => {
  it("come by graphql-ws while it runs; a later subscriber and an SSE reader go on after a cursor", async () => {
    const first: SeenEvent[] = [];
    for await (const event of subscribe(null, app.adminKey)) {
      first.push(event);
      if (event.message === "5") break;
    }
    const { messages } = await readSse({}, 3);
    expect(messages.map(({ id }) => id).slice(0, 3)).toEqual([1, 2, 3]);

    const rest = (async () => {
      const events: SeenEvent[] = [];
      for await (const event of subscribe(first.at(-1)?.cursor ?? null, app.adminKey)) events.push(event);
      return events;
    })();
    const twin = readSse({ "last-event-id": first.at(-1)?.cursor ?? "" });
    openGate();
    const all = [...first, ...(await rest)];
    const stored = await app.services.prisma.jobEvent.count({ where: { jobId } });
    expect(all.map(({ cursor }) => Number(cursor))).toEqual(countTo(stored));
    expect(all.at(-1)).toMatchObject({ __typename: "JobStateChanged", state: "SUCCEEDED", problem: null });
    expect(all.find(({ __typename }) => __typename === "MetricsRecorded")).toMatchObject({
      axis: "epoch",
      step: 1,
      values: [{ name: "train/loss", value: 1 }],
    });
    expect(all.find(({ __typename }) => __typename === "ArtifactReady")).toMatchObject({ kind: "preview" });

    const sse = await twin;
    expect(sse).toMatchObject({ status: 200, type: "text/event-stream; charset=utf-8" });
    expect(sse.messages.map(({ id }) => id)).toEqual(countTo(stored).slice(first.length));
    expect(sse.messages.at(-1)).toMatchObject({ event: "JobStateChanged", data: { body: { state: "SUCCEEDED" } } });
  });

  it("are over for a reader who has seen the last: 204, so that an EventSource does not come back", async () => {
    const { cursor } = await app.services.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
    const response = await app.admin.get(`/v1/jobs/${jobId}/events`).set("last-event-id", String(cursor));
    expect(response.status).toBe(204);
  });

  it("are for those who may see the job only", async () => {
    await app.anonymous.get(`/v1/jobs/${jobId}/events`).expect(401);
    await app.admin.get("/v1/jobs/job_other/events").expect(404);
    await app.admin.get(`/v1/jobs/${jobId}/events?after=yesterday`).expect(400);
  });

  it.each([
    { who: "a wrong key", params: { authorization: "Bearer hw_wrong" }, code: "AUTH_INVALID" },
    { who: "another header", params: { authorization: "hw_wrong" }, code: "AUTH_INVALID" },
    { who: "no key at all", params: {}, code: "AUTH_REQUIRED" },
  ])(
    "are refused to a socket with $who as $code, in words that a graphql-ws client passes on, and closed",
    async (row) => {
      const client = createClient({
        url: `ws://${address}/graphql`,
        webSocketImpl: (await import("ws")).WebSocket,
        connectionParams: row.params,
        retryAttempts: 0,
      });
      for (const asked of [query, "query ($jobId: ID!) { job(id: $jobId) { id } }"]) {
        const refused = client.iterate({ query: asked, variables: { jobId } }).next();
        await expect(refused).rejects.toMatchObject({ code: 4401, reason: expect.stringMatching(`^${row.code}: `) });
      }
      await client.dispose();
    },
  );

  it("say with their code what is wrong with a subscription", async () => {
    const client = createClient({
      url: `ws://${address}/graphql`,
      webSocketImpl: (await import("ws")).WebSocket,
      connectionParams: { authorization: `Bearer ${app.adminKey}` },
      retryAttempts: 0,
    });
    const foreign = await client.iterate({ query, variables: { jobId: "job_other" } }).next();
    expect(foreign.value).toMatchObject({ errors: [{ extensions: { code: "REQUEST_NOT_FOUND", status: 404 } }] });
    const invalid = client.iterate({ query: `subscription { jobEvents(jobId: "x") { nonsense } }` }).next();
    await expect(invalid).rejects.toMatchObject([{ extensions: { code: "REQUEST_INVALID", status: 400 } }]);
    await client.dispose();
  });
});
