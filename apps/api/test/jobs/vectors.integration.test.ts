import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;

beforeAll(async () => {
  dataset = await readyDataset(app());
  const { prisma } = app().services;
  const version = await prisma.datasetVersion.findFirstOrThrow({ where: { datasetId: dataset } });
  const { projectId, createdBy } = await prisma.dataset.findUniqueOrThrow({ where: { id: dataset } });
  const names = ["edges.csv", "nodes.csv", "texts.zip"];
  const files = names.map((name, i) => ({ name, blob: `files/${i}`, bytes: 8, sha256: "0".repeat(64) }));
  const row = { kind: "files", prefix: "vectors", digest: "3".repeat(64), bytes: 24n, info: { files }, blobs: [] };
  const { id } = await prisma.artifact.create({ data: { id: "art_vectors_files", projectId, createdBy, ...row } });
  await prisma.datasetVersion.update({ where: { id: version.id }, data: { filesId: id } });
});

const specWith = (vectors: object, train: object = {}) => {
  const features = { embedding: { dim: 16, vectors } };
  return { version: 1, kind: "train", dataset, task: { target: "label" }, features, train };
};

describe("learned rows that begin as vectors of a file", () => {
  it("have it read between partition and training, which is told whether they are frozen", async () => {
    const spec = specWith({ file: "texts.zip/a.parquet", id: "key", frozen: true });
    const { body } = await app().admin.post("/v1/jobs").send(spec).expect(202);
    const { prisma } = app().services;
    const stages = await prisma.stage.findMany({ where: { jobId: body.id }, orderBy: { index: "asc" } });
    expect(stages.map(({ kind }) => kind).slice(0, 3)).toEqual(["partition", "readVectors", "train"]);
    expect(stages[1]?.options).toEqual({ file: "texts.zip/a.parquet", id: "key", columns: [], dim: 16 });
    expect(stages[2]?.options).toMatchObject({ features: { embedding: { vectors: { frozen: true } } } });
  });

  it("are counted by the estimate: the file by node, and the stage that reads it", async () => {
    const { body } = await app()
      .admin.post("/v1/jobs/estimate")
      .send(specWith({ file: "nodes.csv" }))
      .expect(200);
    // Four nodes of 16 float32 each, and a mark
    expect(body.explanation).toContainEqual({ of: "disk", what: "vectors by node", amount: 4 * (16 * 4 + 1) });
    expect(body.explanation.map(({ what }: { what: string }) => what)).toContainEqual(
      expect.stringMatching(/^reading vectors by the nodes' ids/),
    );
    expect(body.stages.map(({ kind }: { kind: string }) => kind)).toContain("readVectors");
  });

  it.each<[string, object, string, RegExp]>([
    ["a file that is not there", { file: "b.csv" }, "/features/embedding/vectors/file", /"b\.csv"; there are: edges/],
    ["no file", { frozen: true }, "/features/embedding/vectors/file", /expected string|required/i],
  ])("are refused with their place for %s, and so is the estimate", async (_what, vectors, pointer, message) => {
    const { body } = await app().admin.post("/v1/jobs").send(specWith(vectors)).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer });
    expect(body.detail).toMatch(message);
    const estimated = await app().admin.post("/v1/jobs/estimate").send(specWith(vectors)).expect(422);
    expect(estimated.body.detail).toBe(body.detail);
  });
});
