import { join } from "node:path";
import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { mapFeatures } from "../features/map-features.ts";
import type { LabelSets } from "../graph/label-sets.ts";
import type { NodeTargets } from "../graph/node-targets.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { mapLabelSets } from "../io/label-set-files.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";

/** The facts of a `graph` artifact that later steps need; the writer says more. */
const graphFacts = graphInfo
  .pick({
    numNodes: true,
    numEdges: true,
    idType: true,
    directed: true,
    features: true,
    classes: true,
    multiLabel: true,
    edgeTypes: true,
    nodeTypes: true,
  })
  .extend({ targets: z.array(z.object({ name: z.string() })).default([]) });
export type GraphFacts = z.infer<typeof graphFacts>;

/** Numbers of every edge, float32 [numEdges, dim]. */
export interface EdgeFeatures {
  readonly dim: number;
  readonly values: Float32Array;
}

/** A `graph` artifact mapped into memory; rows and columns by NodeIndex, edges by EdgeId. */
export interface GraphArtifact {
  readonly facts: GraphFacts;
  /** int64 [numNodes + 1] and int32 [numEdges]: in-edge CSC, src NodeIndex ascending inside a column */
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  /**
   * EdgeId of every edge where only some of the graph's edges are there; weights, types and features stay in the order
   * of EdgeIds. Left out: edge i is EdgeId i
   */
  readonly edgeIds?: Int32Array;
  readonly weights: Float32Array | null;
  /** int32 [numEdges], an index into `facts.edgeTypes`; null: all edges are alike */
  readonly edgeTypes: Int32Array | null;
  readonly edgeFeatures: EdgeFeatures | null;
  /** int32 [numNodes], an index into `facts.nodeTypes`, -1 = not known; null: all nodes are alike */
  readonly nodeTypes: Int32Array | null;
  readonly features: FeatureStore | null;
  /** int32 [numNodes], -1 = unlabelled */
  readonly labels: Int32Array;
  /** Several labels per node, if they were mapped so; `labels` then are -1 */
  readonly labelSets: LabelSets | null;
  /** Numbers to predict, if any were mapped */
  readonly targets: NodeTargets | null;
  /** int8 [numNodes], see splitCode */
  readonly split: Int8Array;
}

/** @throws GnnError MANIFEST_INVALID, DATASET_FORMAT_INVALID when the files are not what the manifest says */
export function mapGraphArtifact(artifact: ArtifactDir): GraphArtifact {
  const facts = parseFacts(artifact);
  const path = (name: string) => join(artifact.dir, name);
  const has = (name: string) => artifact.manifest.blobs.some((blob) => blob.name === name);
  const { values: indptr } = mapNpy(path("graph/indptr.npy"), "int64");
  const { values: indices } = mapNpy(path("graph/indices.npy"), "int32");
  return {
    facts,
    indptr,
    indices,
    weights: has("edges/weight.npy") ? mapNpy(path("edges/weight.npy"), "float32").values : null,
    edgeTypes: has("edges/type.npy") ? mapNpy(path("edges/type.npy"), "int32").values : null,
    edgeFeatures: has("edges/features.npy") ? mapEdgeFeatures(path("edges/features.npy")) : null,
    nodeTypes: has("nodes/type.npy") ? mapNpy(path("nodes/type.npy"), "int32").values : null,
    features: mapFeatures(facts.features, [path("nodes/features")], artifact.dir),
    labels: has("nodes/labels.npy")
      ? mapNpy(path("nodes/labels.npy"), "int32").values
      : new Int32Array(facts.numNodes).fill(-1),
    labelSets: facts.multiLabel ? mapLabelSets(path("nodes"), facts.classes.length) : null,
    targets: has("nodes/targets.npy")
      ? { names: facts.targets.map(({ name }) => name), values: mapNpy(path("nodes/targets.npy"), "float32").values }
      : null,
    split: has("nodes/split.npy") ? mapNpy(path("nodes/split.npy"), "int8").values : new Int8Array(facts.numNodes),
  };
}

/** A matrix of one row per edge, as `graph` and `parts` artifacts hold it. */
export function mapEdgeFeatures(path: string): EdgeFeatures {
  const { shape, values } = mapNpy(path, "float32");
  return { dim: shape[1] ?? 1, values };
}

function parseFacts({ dir, manifest }: ArtifactDir): GraphFacts {
  if (manifest.kind !== "graph") {
    throw new GnnError("MANIFEST_INVALID", `${dir} holds an artifact of kind "${manifest.kind}"; expected "graph".`);
  }
  const parsed = graphFacts.safeParse(manifest.info);
  if (parsed.success) return parsed.data;
  throw new GnnError("MANIFEST_INVALID", `${dir}: info of the graph is damaged: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}
