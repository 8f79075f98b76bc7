import { expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { createDataset, readyDataset } from "../support/fixtures.ts";

const app = useApp();

it("a graph gets a preset whose reason names its figures, and which a job is accepted with", async () => {
  const dataset = await readyDataset(app());
  const { status, body } = await app().admin.get(`/v1/datasets/${dataset}/preset`);
  expect(status).toBe(200);
  expect(body.reason).toMatch(/^4 nodes of mean degree 1\.5; 1 training node for each of 2 classes; 3 feature columns/);
  expect(body.preset.situation).toBe("very-few-labels");
  // Three columns are measures, not words.
  expect(body.preset.spec.features).toEqual({ transforms: ["standardize"] });
  // Types, relations, times, labels of edges and sets of graphs are what this graph has not.
  const others = ["typed", "many-relations", "knowledge", "links-by-time", "recommendation", "labelled-edges"];
  const presets: { situation: string; spec: object }[] = [body.preset, ...body.others];
  for (const { spec } of presets.filter(({ situation }) => ![...others, "whole-graphs"].includes(situation))) {
    const job = { version: 1, kind: "train", dataset, task: { target: "label" }, ...spec };
    expect((await app().admin.post("/v1/jobs").send(job)).status).toBe(202);
  }
});

it("without a graph there is nothing to choose by, and the answer says what to do first", async () => {
  const dataset = await createDataset(app());
  const { status, body } = await app().admin.get(`/v1/datasets/${dataset}/preset`);
  expect([status, body.code]).toEqual([409, "DATASET_NOT_READY"]);
  expect(body.detail).toContain("wait for the ingest job");
  const query = `{ dataset(id: "${dataset}") { latest { proposedPreset { reason } } } }`;
  const asked = await app().admin.post("/graphql").send({ query });
  expect(asked.body).toEqual({ data: { dataset: { latest: { proposedPreset: null } } } });
});

it("the preset is that of the question, over REST and GraphQL, and a task that is none is refused with its place", async () => {
  const dataset = await readyDataset(app());
  const links = { type: "linkPrediction", split: { type: "random" } };
  const ask = (task: string) => app().admin.get(`/v1/datasets/${dataset}/preset`).query({ task });
  const { body } = await ask(JSON.stringify(links)).expect(200);
  expect(body.preset.situation).toBe("links");
  const query = `query($id: ID!, $task: JSON) { dataset(id: $id) { newestReady { proposedPreset(task: $task) { reason preset { name } } } } }`;
  const { data } = (
    await app()
      .admin.post("/graphql")
      .send({ query, variables: { id: dataset, task: links } })
  ).body;
  expect(data.dataset.newestReady.proposedPreset).toEqual({ reason: body.reason, preset: { name: body.preset.name } });
  expect((await ask("links")).body).toMatchObject({ code: "REQUEST_INVALID", pointer: "/task" });
  expect((await ask('{"type":"nobody"}')).body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/task" });
  expect((await ask('{"type":"linkPrediction","dim":"wide"}')).body).toMatchObject({
    code: "JOB_SPEC_INVALID",
    pointer: "/task/dim",
  });
});
