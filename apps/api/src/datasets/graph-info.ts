import { AppError } from "@hopwise/contracts";
import { artifactInfo } from "../database/stored-json.ts";
import type { DatasetVersion, PrismaClient } from "../generated/prisma/client.ts";

/**
 * What was counted when a version's graph was built.
 *
 * @param pointer where the spec names the dataset
 * @throws AppError DATASET_NOT_READY when the graph is not stored any more
 */
export async function graphInfoOf(
  prisma: PrismaClient,
  { graphId }: Pick<DatasetVersion, "graphId">,
  pointer = "/dataset",
) {
  const graph = graphId === null ? null : await prisma.artifact.findUnique({ where: { id: graphId } });
  if (graph) return artifactInfo("graph", graph.info);
  throw new AppError("DATASET_NOT_READY", "The graph of this dataset version is not stored any more.", {
    place: { pointer },
  });
}
