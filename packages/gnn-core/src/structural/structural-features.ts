import { agreeToContinue } from "../dist/agreement.ts";
import { floatsOf, rankShare } from "../dist/rank-share.ts";
import { shareRows } from "../dist/share-rows.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { inDegrees } from "../sampling/with-degrees.ts";
import { type StructuralOptions, structuralDim } from "../spec/structural-options.ts";
import { degreeColumn } from "./degree-columns.ts";
import { identityRows } from "./identity-rows.ts";
import { projections } from "./projections.ts";
import { spectralRows } from "./spectral-rows.ts";
import type { WalkParts } from "./walk.ts";

export interface StructuralParts extends WalkParts {
  /** The graph's own features; their columns come first */
  readonly features: FeatureStore;
}

const chunkRows = 4096;

/**
 * Appends what the edges say of each node: log(1 + in-degree), then the columns of the chosen method (`projections`,
 * `spectralRows`, `degreeColumn`); or, alone, what tells each node from all others (`identityRows`). Random signs are a
 * function of (seed, GlobalId), so any number of ranks gets the same bits. Transductive: every edge of the graph is
 * looked at.
 *
 * @throws GnnError SPEC_INVALID beside sparse features, or identity beside any; CANCELLED on every rank
 */
export async function withStructuralFeatures(
  parts: StructuralParts,
  options: StructuralOptions,
): Promise<FeatureStore> {
  const { graph, features, sharedRows } = parts;
  if (options.method === "identity") {
    if (features.dim > 0) throw besideOthers();
    return identityRows(graph.numNodes);
  }
  if (features.kind !== "dense") throw besideSparse();
  const { dim } = options;
  const width = features.dim + structuralDim(options, graph.numNodes);
  const all = sharedRows("structural", graph.numNodes * width);
  await fillOwn(parts, options, all, width);
  if (options.method === "degree") return shared(parts, all, width);
  const fill = options.method === "spectral" ? spectralRows : projections;
  await fill(parts, options, (firstNode, rows, hop) => {
    const column = features.dim + 1 + hop * dim;
    for (let row = 0; row * dim < rows.length; row++) {
      all.set(rows.subarray(row * dim, (row + 1) * dim), (firstNode + row) * width + column);
    }
  });
  return shared(parts, all, width);
}

async function shared({ graph, rank }: StructuralParts, all: Float32Array, width: number): Promise<DenseFeatureStore> {
  await shareRows(rank, all, floatsOf(rankShare(graph.numNodes, rank), width));
  return new DenseFeatureStore(width, [all]);
}

/** The graph's own features, the degree and its columns if they are asked for, for this rank's share of the nodes */
async function fillOwn(
  { graph, features, rank, signal }: StructuralParts,
  { method, dim }: StructuralOptions,
  all: Float32Array,
  width: number,
): Promise<void> {
  const { first, count } = rankShare(graph.numNodes, rank);
  for (let done = 0; done < count && !signal.aborted; done += chunkRows) {
    const size = Math.min(chunkRows, count - done);
    const ids = Int32Array.from({ length: size }, (_, i) => first + done + i);
    const degrees = await inDegrees(graph, ids);
    const { values } = await features.gatherAsync(ids);
    for (const [row, node] of ids.entries()) {
      all.set(values.subarray(row * features.dim, (row + 1) * features.dim), node * width);
      const [own, degree] = [node * width + features.dim, degrees[row] as number];
      all[own] = Math.log1p(degree);
      if (method === "degree") all[own + 1 + degreeColumn(degree, dim)] = 1;
    }
  }
  await agreeToContinue(rank.collective, signal);
}

function besideOthers(): GnnError {
  const pointer = "/features/structural/method";
  const message = `${pointer}: identity gives nodes columns where they have no features; those of the dataset have some. Choose another method, or leave it out.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

function besideSparse(): GnnError {
  const pointer = "/features/structural";
  const message = `${pointer}: structural features can stand beside dense features only, and those of the dataset are sparse.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
