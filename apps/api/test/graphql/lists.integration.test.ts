import { expect, it } from "vitest";
import { Work } from "../../src/graphql/base/work.ts";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";

const app = useApp();
const viewer = { userId: "admin", name: "admin", projectId: null, role: "ADMIN", via: "key" } as const;

/** Runs a query. @returns its data, and what it asked of the database */
async function run(query: string, variables: object) {
  const { services, server } = app();
  const asked: string[] = [];
  const prisma = services.prisma.$extends({
    query: {
      $allModels: {
        $allOperations({ model, operation, args, query: ask }) {
          asked.push(`${model}.${operation}`);
          return ask(args);
        },
      },
    },
  }) as unknown as typeof services.prisma;
  const work = new Work(new AbortController().signal);
  const context = { services: { ...services, prisma }, viewer, requestId: "req-1", work };
  const { data, errors } = await server.graphql(query, context, { ...variables });
  expect(errors).toBeUndefined();
  return { data, asked };
}

it("a page of jobs asks the database as often as one job does, and counts only when it is asked to", async () => {
  const { prisma } = app().services;
  const spec = { version: 1, kind: "train", dataset: await readyDataset(app()), task: { target: "label" } };
  const owner = { projectId: "default", createdBy: "admin" };
  for (let i = 0; i < 5; i++) {
    const { body: job } = await app()
      .admin.post("/v1/jobs")
      .send({ ...spec, name: `job ${i}` })
      .expect(202);
    const id = `art_${job.id}`;
    const info = { metrics: { "test/accuracy": i / 10 } };
    const model = { id, ...owner, jobId: job.id, kind: "model", prefix: id, digest: id, bytes: 1n, info, blobs: [] };
    await prisma.artifact.create({ data: model });
    await prisma.stage.updateMany({ where: { jobId: job.id, kind: "train" }, data: { outputId: id } });
  }
  const query = `query ($first: Int) { jobs(first: $first) {
    edges { node { id name state model { metrics } task { chiefMetric } stages { kind state } dataset { number dataset { name } } } }
    pageInfo { hasNextPage endCursor }
  } }`;
  const one = await run(query, { first: 1 });
  const five = await run(query, { first: 5 });
  expect(five.asked).toEqual(one.asked);
  expect(five.asked).not.toContain("Job.count");
  const { edges } = (five.data as { jobs: { edges: { node: { model: unknown; stages: unknown[] } }[] } }).jobs;
  expect(edges.map(({ node }) => node.model)).toEqual(
    [4, 3, 2, 1, 0].map((i) => ({ metrics: { "test/accuracy": i / 10 } })),
  );
  expect(edges.every(({ node }) => node.stages.length > 1)).toBe(true);

  const counted = await run("{ jobs(first: 2) { totalCount nodes { name stages { kind } } } }", {});
  expect(counted.data).toMatchObject({ jobs: { totalCount: 5, nodes: [{ name: "job 4" }, { name: "job 3" }] } });
  expect(counted.asked).toContain("Job.count");
});

it("a page of datasets asks the database as often as one dataset does", async () => {
  for (let i = 0; i < 3; i++) await readyDataset(app());
  const query =
    "query ($first: Int) { datasets(first: $first) { edges { node { name latest { number graph { numNodes } } } } } }";
  const one = await run(query, { first: 1 });
  const three = await run(query, { first: 3 });
  expect(three.asked).toEqual(one.asked);
  const { edges } = (three.data as { datasets: { edges: { node: { latest: { graph: unknown } } }[] } }).datasets;
  expect(edges).toHaveLength(3);
  for (const { node } of edges) expect(node.latest.graph).toEqual({ numNodes: 4 });
});
