import type { Prisma } from "../../src/generated/prisma/client.ts";
import type { TestApp } from "./start-app.ts";

/** A key of a role, bound to a project when one is named. */
export async function keyFor(app: TestApp, role: string, project?: string): Promise<string> {
  const answer = await app.admin
    .post("/v1/api-keys")
    .send({ name: `${role} key`, role, ...(project ? { project } : {}) });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return `Bearer ${answer.body.secret}`;
}

export async function createDataset(app: TestApp, name = "cora"): Promise<string> {
  const answer = await app.admin.post("/v1/datasets").send({ name });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

export const graphInfo = {
  numNodes: 4,
  numEdges: 6,
  idType: "string",
  directed: false,
  features: { kind: "dense", dim: 3 },
  classes: ["a", "b"],
  splits: { train: 2, val: 1, test: 1, none: 0 },
  labelCounts: [
    { label: "a", count: 2 },
    { label: "b", count: 2 },
  ],
  degreeHistogram: { edges: [0, 2, 4], counts: [1, 3] },
  edgeTypes: ["edge"],
  nodeTypes: ["node"],
  report: {
    rowsRead: 3,
    nodeRows: 0,
    edgeRows: 3,
    duplicateEdges: 0,
    selfLoops: 0,
    danglingIds: 0,
    isolatedNodes: 0,
    badRows: [],
    warnings: [],
  },
};

/** A dataset as an ingest job leaves it: READY, with a graph artifact of four nodes. */
export async function readyDataset(app: TestApp): Promise<string> {
  const id = await createDataset(app);
  const { prisma } = app.services;
  const owner = { projectId: "default", createdBy: "admin" };
  const graphId = `art_graph_${id}`;
  const graph = {
    id: graphId,
    ...owner,
    kind: "graph",
    prefix: `graphs/${id}`,
    digest: "0".repeat(64),
    bytes: 1000n,
    info: graphInfo,
    blobs: [],
  };
  const spec: Prisma.InputJsonObject = {
    version: 1,
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split" },
  };
  // Both at once: a sweep takes away an artifact that nothing refers to.
  await prisma.$transaction([
    prisma.artifact.create({ data: graph }),
    prisma.datasetVersion.updateMany({ where: { datasetId: id }, data: { state: "READY", graphId, spec } }),
  ]);
  return id;
}
