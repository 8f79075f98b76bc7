import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PredictionsAnswer } from "@hopwise/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Program } from "../../../../test/support/program.ts";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";
import { firstId, storeGraph, storeRows, storeVersion } from "./support/stored-rows.ts";

const app = useApp({ HOPWISE_REQUESTS_PER_MINUTE: "1000000" });
const numNodes = 500;
let dataset: string;
let serving: Program;

async function jobWithRows(winner: 0 | 1): Promise<string> {
  const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
  const { id } = (await app().admin.post("/v1/jobs").send(spec).expect(202)).body;
  await storeRows(app(), id, numNodes, winner);
  return id;
}

const socket = () => join(app().dataDir, "serve", "serve.sock");

beforeAll(async () => {
  dataset = await readyDataset(app());
  await storeGraph(app(), dataset, numNodes);
  const program = fileURLToPath(new URL("../../../gpu-worker/dist/serve-main.js", import.meta.url));
  serving = new Program(["node", program], { HOPWISE_DATA: app().dataDir }, join(app().dataDir, "serve.log"));
});
afterAll(() => serving.kill("SIGTERM"));

describe("single questions", () => {
  let job: string;
  let model: string;
  beforeAll(async () => {
    job = await jobWithRows(0);
    model = await storeVersion(app(), job, 1, "PRODUCTION");
  });

  it("are refused with what to do while no serving process is there", async () => {
    const { body } = await app()
      .admin.post(`/v1/jobs/${job}/predict`)
      .send({ ids: ["100"] })
      .expect(503);
    expect(body).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    expect(body.detail).toContain("serve-main.js");
    serving.start();
    await until("the serving process", async () => existsSync(socket()));
  });

  it("are answered by REST and GraphQL alike, of a job and of a model", async () => {
    const ids = ["103", "100"];
    const { body } = await app().admin.post(`/v1/models/${model}/predict`).send({ ids }).expect(200);
    expect(body).toMatchObject({ job, dataset: `${dataset}@1`, model: "served@1" });
    expect(
      body.predictions.map(({ id, values }: PredictionsAnswer["predictions"][number]) => [id, values.predicted]),
    ).toEqual([
      ["103", "a"],
      ["100", "a"],
    ]);
    const near = (await app().admin.post(`/v1/jobs/${job}/neighbors`).send({ id: "104", k: 2, metric: "l2" })).body;
    const neighbors = [
      { id: "103", score: 1 },
      { id: "105", score: 1 },
    ];
    expect(near).toEqual({ job, dataset: `${dataset}@1`, model: null, metric: "l2", neighbors });
    const query = `{
      predictions(model: "${model}", ids: ["103", "100"]) { job dataset model predictions { id values } }
      neighbors(job: "${job}", id: "104", k: 2, metric: L2) { job dataset model neighbors { id score } }
    }`;
    const { data, errors } = (await app().admin.post("/graphql").send({ query })).body;
    expect(errors).toBeUndefined();
    expect(data.predictions).toEqual(body);
    expect(data.neighbors.neighbors).toEqual(neighbors);
  });

  it("name what is wrong with them", async () => {
    const ask = async (path: string, body: object) => {
      const { code, pointer } = (await app().admin.post(path).send(body)).body;
      return [code, pointer];
    };
    const [predict, near] = [`/v1/models/${model}/predict`, `/v1/jobs/${job}/neighbors`];
    expect(await ask(predict, { ids: ["100", "7"] })).toEqual(["NODE_UNKNOWN", "/ids/1"]);
    expect(await ask(predict, { ids: [] })).toEqual(["REQUEST_INVALID", "/ids"]);
    expect(await ask(predict, { ids: Array(1001).fill("100") })).toEqual(["REQUEST_INVALID", "/ids"]);
    const nodes = (count: number, more = {}) => Array.from({ length: count }, (_, i) => ({ id: `x${i}`, ...more }));
    const edges = (count: number) => ({ edges: Array.from({ length: count }, () => ({ to: "100" })) });
    expect(await ask(predict, { nodes: nodes(101) })).toEqual(["REQUEST_INVALID", "/nodes"]);
    expect(await ask(predict, { nodes: nodes(2, edges(5001)) })).toEqual(["REQUEST_INVALID", "/nodes"]);
    expect(await ask(predict, { nodes: [{}] })).toEqual(["REQUEST_INVALID", "/nodes/0/id"]);
    expect(await ask(predict, { nodes: nodes(1, { label: "a" }) })).toEqual(["REQUEST_INVALID", "/nodes/0/label"]);
    expect(await ask(predict, { nodes: nodes(1, edges(1)) })).toEqual(["JOB_WITHOUT_RESULTS", undefined]);
    expect(await ask(predict, { ids: ["100"], version: 7 })).toEqual(["REQUEST_NOT_FOUND", undefined]);
    expect(await ask(predict, { ids: ["100"], dataset: "somewhere" })).toEqual(["REQUEST_INVALID", "/dataset"]);
    const detail = async (body: object) =>
      (
        await app()
          .admin.post(predict)
          .send({ ids: ["100"], ...body })
      ).body.detail;
    expect(await detail({ version: 7 })).toBe('The model "served" has no version 7; there is served@1.');
    expect(await detail({ dataset: `${dataset}@2` })).toBe(
      `The dataset "${dataset}" has no version 2; there is ${dataset}@1.`,
    );
    expect(await detail({ dataset: "ds_gone@1" })).toContain('There is no dataset "ds_gone" here');
    const other = await readyDataset(app());
    expect(await ask(predict, { ids: ["100"], dataset: `${other}@1` })).toEqual(["JOB_WITHOUT_RESULTS", undefined]);
    const { prisma } = app().services;
    await prisma.modelVersion.updateMany({ where: { modelId: model }, data: { stage: "ARCHIVED" } });
    const next = "name one, such as served@1, or promote one";
    await until("the name to mean no version", async () => (await detail({}))?.includes(next));
    await prisma.modelVersion.updateMany({ where: { modelId: model }, data: { stage: "PRODUCTION" } });
    expect(await ask(near, { id: "100", vector: [1, 2] })).toEqual(["REQUEST_INVALID", "/id"]);
    expect(await ask(near, { vector: [1] })).toEqual(["SPEC_INVALID", "/vector"]);
    expect(await ask(near, { vector: [1, 1e300] })).toEqual(["SPEC_INVALID", "/vector"]);
    expect(await ask(near, { id: "100", label: "c" })).toEqual(["SPEC_INVALID", "/label"]);
    expect(await ask("/v1/jobs/job_nobody/predict", { ids: ["100"] })).toEqual(["REQUEST_NOT_FOUND", undefined]);
  });

  it("are answered to those alone who may see the job, however often others have asked", async () => {
    const ask = (key: string) =>
      app()
        .anonymous.post(`/v1/models/${model}/predict`)
        .set("authorization", key)
        .send({ ids: ["100"] });
    await ask(await keyFor(app(), "viewer")).expect(200);
    await app().services.prisma.project.create({ data: { id: "other", name: "other" } });
    const { body } = await ask(await keyFor(app(), "admin", "other"));
    expect(body.code).toBe("REQUEST_NOT_FOUND");
    await app()
      .anonymous.post(`/v1/models/${model}/predict`)
      .send({ ids: ["100"] })
      .expect(401);
  });

  it("go on being answered while another version goes into production, and then by that", async () => {
    const { prisma } = app().services;
    const second = await jobWithRows(1);
    await storeVersion(app(), second, 2, "CANDIDATE");
    const seen = new Map<string, number>();
    const statuses = new Set<number>();
    const over = new AbortController();
    const askOn = async (client: number) => {
      for (let i = 0; !over.signal.aborted; i++) {
        const ids = [String(firstId + ((i * 31 + client) % numNodes))];
        const { status, body } = await app().admin.post(`/v1/models/${model}/predict`).send({ ids });
        statuses.add(status);
        const answer = `${body.model} ${body.predictions?.[0].values.predicted}`;
        seen.set(answer, (seen.get(answer) ?? 0) + 1);
      }
    };
    const clients = [0, 1, 2, 3].map(askOn);
    try {
      await until("answers of the first version", async () => (seen.get("served@1 a") ?? 0) > 50);
      const promoted = await prisma.modelVersion.findFirstOrThrow({ where: { jobId: second } });
      await app().admin.put(`/v1/model-versions/${promoted.id}`).send({ stage: "production" }).expect(200);
      await until("answers of the second version", async () => (seen.get("served@2 b") ?? 0) > 50);
    } finally {
      over.abort();
      await Promise.all(clients);
    }
    expect([...statuses]).toEqual([200]);
    expect([...seen.keys()].toSorted()).toEqual(["served@1 a", "served@2 b"]);
    const { text } = await app().admin.get("/metrics");
    expect(text).toMatch(/hopwise_serving_seconds\{quantile="0.99",question="predict"\} 0?\.\d+/);
  });
});
