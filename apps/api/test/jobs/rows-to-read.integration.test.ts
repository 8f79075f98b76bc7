import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;

beforeAll(async () => {
  dataset = await readyDataset(app());
  const { prisma } = app().services;
  const { graphId } = await prisma.datasetVersion.findFirstOrThrow({ where: { datasetId: dataset } });
  const { info } = await prisma.artifact.findUniqueOrThrow({ where: { id: graphId! } });
  const bare = { ...(info as object), features: { kind: "none", dim: 0 } };
  await prisma.artifact.update({ where: { id: graphId! }, data: { info: bare } });
});

const specWith = (changes: object) => ({ version: 1, kind: "train", dataset, ...changes });
const links = { task: { type: "linkPrediction" } };

describe("a job on nodes without features that names nothing to read in their place", () => {
  it.each([
    ["links", links],
    ["classes", { task: { target: "label" } }],
  ])("has rows learned, and its record says so: %s", async (_what, changes) => {
    const { body } = await app().admin.post("/v1/jobs").send(specWith(changes)).expect(202);
    expect(body.spec.features).toMatchObject({ structural: null, embedding: { dim: 64 } });
    const { prisma } = app().services;
    const train = await prisma.stage.findFirstOrThrow({ where: { jobId: body.id, kind: "train" } });
    expect(train.options).toMatchObject({ features: { embedding: { dim: 64 } } });
  });

  it("is estimated with them, and told of them", async () => {
    const { body } = await app().admin.post("/v1/jobs/estimate").send(specWith(links)).expect(200);
    expect(body.notes).toContainEqual(expect.stringMatching(/a row of 64 numbers is learned for each/));
    const named = specWith({ ...links, features: { embedding: {} } });
    const { body: same } = await app().admin.post("/v1/jobs/estimate").send(named).expect(200);
    expect(same.memoryBytes).toBe(body.memoryBytes);
    expect(same.notes).toEqual(body.notes.filter((note: string) => !note.includes("is learned for each")));
  });

  it("is refused with both ways out where neither goes with the rest", async () => {
    const spec = specWith({ task: { target: "label", inductive: true } });
    const { body } = await app().admin.post("/v1/jobs").send(spec).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/features/structural" });
    expect(body.detail).toMatch(/"structural": \{\}.*"embedding": \{\}/);
  });

  it("has them in every setting of a sweep", async () => {
    const sweep = { spec: specWith(links), grid: { "train.batchSize": [64, 128] } };
    const { body } = await app().admin.post("/v1/sweeps").send(sweep).expect(202);
    const { prisma } = app().services;
    const jobs = await prisma.job.findMany({ where: { sweepId: body.id } });
    expect(jobs).toHaveLength(2);
    for (const { spec } of jobs) expect(spec).toMatchObject({ features: { embedding: { dim: 64 } } });
  });
});
