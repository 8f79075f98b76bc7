import { AppError, type CountedGraph, type GraphForm, graphFormOf } from "@hopwise/contracts";
import { artifactInfo, datasetSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion, PrismaClient } from "../generated/prisma/client.ts";

/** A graph that a kept model is held against */
export interface GraphToFit extends GraphForm, Pick<CountedGraph, "weights"> {
  /** Names of the folds of a set of graphs; none: there are no folds */
  readonly folds: readonly string[];
}

/**
 * The form of a dataset version's graph, as a kept model is held against it.
 *
 * @throws AppError DATASET_NOT_READY when the graph is not stored any more
 */
export async function graphToFit(prisma: PrismaClient, version: DatasetVersion): Promise<GraphToFit> {
  const graph = version.graphId && (await prisma.artifact.findUnique({ where: { id: version.graphId } }));
  if (!graph) {
    throw new AppError("DATASET_NOT_READY", "The graph of this dataset version is not stored any more.", {
      place: { pointer: "/dataset" },
    });
  }
  const info = artifactInfo("graph", graph.info);
  const form: GraphForm = graphFormOf(info, datasetSpecOf(version));
  return { ...form, weights: info.weights, folds: info.graphs?.folds.map(({ name }) => name) ?? [] };
}
