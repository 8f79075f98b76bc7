import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;

const nodes = { files: ["nodes.csv"], id: "id", label: "label" };
const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const random = { type: "random", train: 0.6, val: 0.2, test: 0.2, stratify: true, seed: 0 };
const asColumn = { type: "column", column: "split" };

/** The columns of the dataset's newest version. */
async function mapped(spec: object): Promise<void> {
  const data = { spec: { version: 1, ...spec } };
  await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data });
}

const specWith = (changes: object = {}) => ({
  version: 1,
  kind: "train",
  dataset,
  task: { target: "label" },
  ...changes,
});
const post = (path: string, body: object) => app().admin.post(path).send(body);

beforeAll(async () => {
  dataset = await readyDataset(app());
});

describe("a job that does not say how its rows are split", () => {
  it.each([
    ["a column", { split: "side" }],
    ["masks", { splitMasks: { train: "is_train", val: "is_val", test: "is_test" } }],
    [
      "lists of ids",
      { splitFiles: { train: { files: ["train.csv"], id: "id" }, test: { files: ["test.csv"], id: "id" } } },
    ],
  ])("goes by the dataset's own, which is %s", async (_what, split) => {
    await mapped({ edges, nodes: { ...nodes, ...split } });
    const { body } = await post("/v1/jobs", specWith()).expect(202);
    expect(body.spec.split).toEqual(asColumn);
    const { body: estimate } = await post("/v1/jobs/estimate", specWith()).expect(200);
    expect(estimate.notes.join()).not.toContain("no split");
  });

  it("has one drawn where the dataset has none, and its estimate says so", async () => {
    await mapped({ edges, nodes });
    const { body } = await post("/v1/jobs", specWith()).expect(202);
    expect(body.spec.split).toEqual(random);
    const { body: estimate } = await post("/v1/jobs/estimate", specWith()).expect(200);
    expect(estimate.notes).toContainEqual(
      expect.stringMatching(/has no split and the job does not say one: 60 % of the labelled nodes train/),
    );
    const { body: named } = await post("/v1/jobs/estimate", specWith({ split: { type: "random" } })).expect(200);
    expect(named.notes.join()).not.toContain("no split");
  });

  it("has one drawn in every setting of a sweep", async () => {
    await mapped({ edges, nodes });
    const sweep = { spec: specWith(), grid: { "train.batchSize": [64, 128] } };
    const { body } = await post("/v1/sweeps", sweep).expect(202);
    const jobs = await app().services.prisma.job.findMany({ where: { sweepId: body.id } });
    expect(jobs.map(({ spec }) => (spec as { split: unknown }).split)).toEqual([random, random]);
  });

  it("is refused on graphs that have folds, between which it must choose", async () => {
    const graphs = { files: ["graphs.csv"], id: "graph", label: "label", fold: "fold" };
    await mapped({ edges, nodes: { files: ["nodes.csv"], id: "id", graph: "graph" }, graphs });
    const { body } = await post("/v1/jobs", specWith({ task: { type: "graphClassification", target: "label" } }));
    expect(body.detail).toMatch(/The graphs have no split column; use .* or name a fold in task\.testFold/);
  });
});

describe("a job that asks for the dataset's split by name", () => {
  it("is refused where there is none, and told what to do", async () => {
    await mapped({ edges, nodes });
    const { body } = await post("/v1/jobs", specWith({ split: asColumn })).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/split" });
    expect(body.detail).toContain(
      'The dataset has no split column; use "split": { "type": "random" } or map a split column.',
    );
  });
});
