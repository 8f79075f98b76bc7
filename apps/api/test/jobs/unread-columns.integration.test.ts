import { beforeAll, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
let dataset: string;

/** The mapping that the graph was ingested with. */
async function map(edges: object): Promise<void> {
  const ends = { files: ["edges.csv"], src: "src", dst: "dst" };
  const nodes = { files: ["nodes.csv"], id: "id", label: "label", split: "split" };
  const spec = { version: 1, edges: { ...ends, ...edges }, nodes };
  await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data: { spec } });
}

const specWith = (change: object) => ({ version: 1, kind: "train", dataset, task: { target: "label" }, ...change });

async function warnings(change: object = {}): Promise<string[]> {
  const { body } = await app().admin.post("/v1/jobs/estimate").send(specWith(change));
  return body.warnings;
}

beforeAll(async () => {
  dataset = await readyDataset(app());
});

it("nothing is warned of when every column of the edges is read", async () => {
  await map({});
  expect(await warnings()).toEqual([]);
});

it("features of edges are named as read by no model, types of edges as told apart by others than the chosen one", async () => {
  await map({ type: "kind", features: ["amount", "currency"] });
  for (const type of ["sage", "gat", "gcn"]) {
    const [types, features, ...more] = await warnings({ model: { type } });
    expect(types).toMatch(
      /^The column "kind" holds types of edges, which the model \w+ does not tell apart.*rgcn, rsage/,
    );
    expect(features).toMatch(
      /^The columns "amount", "currency" hold features of edges, which tasks on classes and numbers of edges alone read/,
    );
    expect(more).toEqual([]);
  }
});

it("weights of edges are warned of where neither model nor sampler counts them", async () => {
  await map({ weight: "strength" });
  const [mean, ...more] = await warnings({ model: { type: "sage" } });
  expect(mean).toMatch(/^The column "strength" holds weights of edges, which neither the model sage as chosen nor/);
  expect(mean).toMatch(/gcn.* count them\.$/);
  expect(more).toEqual([]);
  expect(await warnings({ model: { type: "gcn" } })).toEqual([]);
  expect(await warnings({ model: { type: "sage", options: { aggregator: "gcn" } } })).toEqual([]);
  const byWeight = { type: "neighbor", options: { fanouts: [5, 5], probability: "weight" } };
  expect(await warnings({ sampling: byWeight })).toEqual([]);
});

it("relations with files of their own are warned of where the model does not tell them apart", async () => {
  const files = { files: ["edges.csv"], src: "src", dst: "dst" };
  const relations = [{ ...files, source: "paper", name: "cites", target: "paper" }];
  const nodeTypes = { paper: { files: ["nodes.csv"], id: "id", label: "label", split: "split" } };
  const spec = { version: 1, nodeTypes, relations };
  await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data: { spec } });
  expect(await warnings({ model: { type: "sage" } })).toEqual([
    expect.stringMatching(/^The relations are types of edges, which the model sage does not tell apart/),
  ]);
});

it("the submitted job keeps its warnings, over REST and GraphQL", async () => {
  await map({ type: "kind" });
  const { body } = await app().admin.post("/v1/jobs").send(specWith({})).expect(202);
  expect(body.estimate.warnings).toEqual([expect.stringContaining('"kind"')]);
  const query = "mutation($spec: JobSpecInput!) { submitJob(spec: $spec) { estimate { warnings } } }";
  const answer = await app()
    .admin.post("/graphql")
    .send({ query, variables: { spec: specWith({}) } });
  expect(answer.body.data.submitJob.estimate.warnings).toEqual(body.estimate.warnings);
});
