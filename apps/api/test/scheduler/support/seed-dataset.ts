import { datasetSpec } from "@hopwise/contracts";
import { newId } from "../../../src/database/ids.ts";
import type { Prisma, PrismaClient } from "../../../src/generated/prisma/client.ts";
import { graphInfo } from "../../support/fixtures.ts";

/** A project with an admin and a dataset whose version is READY, as far as planning a job reads it. */
export async function seedDataset(prisma: PrismaClient) {
  const ids = { userId: newId("user"), projectId: newId("project"), datasetId: newId("ds"), versionId: newId("dsv") };
  const owner = { projectId: ids.projectId, createdBy: ids.userId };
  await prisma.project.create({ data: { id: ids.projectId, name: ids.projectId } });
  await prisma.user.create({ data: { id: ids.userId, name: ids.userId, role: "ADMIN" } });
  await prisma.dataset.create({ data: { ...owner, id: ids.datasetId, name: "cora" } });
  const artifact = (kind: string, info = {}) => {
    const id = newId("art");
    return { ...owner, id, kind, prefix: id, digest: `digest-of-${id}`, bytes: 1n, info, blobs: [] };
  };
  const files = artifact("files");
  const graph = artifact("graph", graphInfo);
  const spec = datasetSpec.parse({
    edges: { files: ["e.csv"], src: "a", dst: "b" },
    nodes: { files: ["n.csv"], id: "id", label: "label", split: "split" },
  });
  const version = {
    ...owner,
    id: ids.versionId,
    datasetId: ids.datasetId,
    number: 1,
    state: "READY" as const,
    filesId: files.id,
    graphId: graph.id,
    spec: structuredClone(spec) as Prisma.InputJsonObject,
  };
  // All at once: a sweep takes away an artifact that nothing refers to.
  await prisma.$transaction([
    prisma.artifact.createMany({ data: [files, graph] }),
    prisma.datasetVersion.create({ data: version }),
  ]);
  return ids;
}
