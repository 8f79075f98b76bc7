import { type GraphForm, graphFormOf } from "@hopwise/contracts";
import { datasetSpecOf } from "../database/stored-json.ts";
import { graphInfoOf } from "../datasets/graph-info.ts";
import type { DatasetVersion, PrismaClient } from "../generated/prisma/client.ts";

/**
 * The form of a dataset version's graph, as a kept model is held against it.
 *
 * @throws AppError DATASET_NOT_READY when the graph is not stored any more
 */
export async function graphToFit(prisma: PrismaClient, version: DatasetVersion) {
  const info = await graphInfoOf(prisma, version);
  const form: GraphForm = graphFormOf(info, datasetSpecOf(version));
  return { ...form, weights: info.weights };
}
