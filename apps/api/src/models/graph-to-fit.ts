import { AppError, type CountedGraph, type GraphForm, graphFormOf } from "@hopwise/contracts";
import { edgeSidesFile, heldOutPairsFile } from "@hopwise/gnn-core/spec";
import { artifactInfo, blobsOf, datasetSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion, PrismaClient } from "../generated/prisma/client.ts";
import type { AppliedGraph } from "../job-state/plan-stages.ts";

/** A graph that a kept model is held against */
export interface GraphToFit extends GraphForm, Pick<CountedGraph, "weights">, AppliedGraph {}

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
  const blobs = blobsOf(graph).map(({ name }) => name);
  const heldOut = { links: blobs.includes(edgeSidesFile), pairs: blobs.includes(heldOutPairsFile("test")) };
  return { ...form, weights: info.weights, folds: info.graphs?.folds.map(({ name }) => name) ?? [], heldOut };
}
