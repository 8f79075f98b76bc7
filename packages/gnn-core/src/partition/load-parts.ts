import { join } from "node:path";
import type { FeatureStore } from "../features/feature-store.ts";
import { mapFeatures } from "../features/map-features.ts";
import type { CscGraph, CscPart, NodeTypes } from "../graph/csc-graph.ts";
import { joinLabelSets, type LabelSets } from "../graph/label-sets.ts";
import type { NodeTargets } from "../graph/node-targets.ts";
import { withUnknownType } from "../graph/unknown-type.ts";
import { mapLabelSets } from "../io/label-set-files.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { type PartsInfo, parsePartsInfo } from "../spec/parts-info.ts";
import { type EdgeFeatures, mapEdgeFeatures } from "./graph-artifact.ts";
import { PartitionBook } from "./partition-book.ts";

/** What the edges of one part carry, mapped; see `PartitionBook.toLocalEdges`. */
export interface EdgeData {
  /** int32 [edges], an index into `info.graph.edgeTypes`; null: the graph has one type */
  readonly types: Int32Array | null;
  readonly features: EdgeFeatures | null;
}

/** A `parts` artifact in memory. Everything is indexed by GlobalId. */
export interface LoadedParts {
  readonly graph: CscGraph;
  /**
   * Types and features of each part's edges, in the order of `graph.parts[p].indices`; edge weights are in the graph
   */
  readonly edgeData: readonly EdgeData[];
  readonly features: FeatureStore | null;
  /** int32 [numNodes] class, -1 = unlabelled; a copy */
  readonly labels: Int32Array;
  /** Several labels per node, copied; null: the graph has none */
  readonly labelSets: LabelSets | null;
  /** Numbers to predict, copied; null: the graph has none */
  readonly targets: NodeTargets | null;
  /** int8 [numNodes]: 0 none, 1 train, 2 val, 3 test; a copy */
  readonly split: Int8Array;
  readonly book: PartitionBook;
  readonly info: PartsInfo;
}

/**
 * Maps every part read-only: edges and features are the file's own pages, shared by all ranks of the host that load
 * the same folder.
 *
 * @throws GnnError MANIFEST_INVALID, DATASET_FILE_MISSING, DATASET_FORMAT_INVALID
 */
export function loadParts(artifact: ArtifactDir): LoadedParts {
  const info = parsePartsInfo(artifact);
  const book = new PartitionBook(info.nodeOffsets, info.edgeOffsets);
  const parts = Array.from({ length: info.numParts }, (_, part) => join(artifact.dir, `part${part}`));
  const has = (file: string) => artifact.manifest.blobs.some(({ name }) => name === `part0/${file}`);
  const weighted = has("weight.npy");
  const isTyped = has("edge_type.npy") && info.graph.edgeTypes.length > 1;
  const labels = new Int32Array(info.numNodes);
  const split = new Int8Array(info.numNodes);
  parts.forEach((dir, part) => {
    const { first } = book.partToNodes(part);
    labels.set(mapNpy(join(dir, "labels.npy"), "int32").values, first);
    split.set(mapNpy(join(dir, "split.npy"), "int8").values, first);
  });
  return {
    graph: {
      device: "cpu",
      numNodes: info.numNodes,
      numEdges: info.numEdges,
      parts: parts.map((dir, part) => {
        const mapped = mapPart(dir, book.partToNodes(part), weighted);
        return isTyped ? { ...mapped, types: mapNpy(join(dir, "edge_type.npy"), "int32").values } : mapped;
      }),
      ...(isTyped && { relations: info.graph.edgeTypes }),
      ...(isTyped && has("type.npy") && { nodeTypes: loadNodeTypes(parts, info) }),
    },
    edgeData: parts.map((dir) => ({
      types: has("edge_type.npy") ? mapNpy(join(dir, "edge_type.npy"), "int32").values : null,
      features: has("edge_features.npy") ? mapEdgeFeatures(join(dir, "edge_features.npy")) : null,
    })),
    features: mapFeatures(
      info.graph.features,
      parts.map((dir) => join(dir, "features")),
      artifact.dir,
    ),
    labels,
    labelSets: info.graph.multiLabel ? loadLabelSets(parts, info) : null,
    targets: info.graph.targets.length > 0 ? loadTargets(parts, info) : null,
    split,
    book,
    info,
  };
}

function loadLabelSets(parts: readonly string[], { graph }: PartsInfo): LabelSets {
  const numClasses = graph.classes.length;
  return joinLabelSets(
    parts.map((dir) => mapLabelSets(dir, numClasses)),
    numClasses,
  );
}

function loadNodeTypes(parts: readonly string[], info: PartsInfo): NodeTypes {
  const codes = new Int32Array(info.numNodes);
  for (const [part, dir] of parts.entries()) {
    codes.set(mapNpy(join(dir, "type.npy"), "int32").values, info.nodeOffsets[part]);
  }
  return nodeTypesOf(codes, info);
}

/** The types of nodes by the codes of all of them; a node whose type is not known is of one more. */
export function nodeTypesOf(codes: Int32Array, { graph }: Pick<PartsInfo, "graph">): NodeTypes {
  const { types } = graph.features;
  const columns =
    types && graph.nodeTypes.map((name) => types.find((type) => type.name === name) ?? { first: 0, dim: 0 });
  return {
    ...withUnknownType({ names: graph.nodeTypes, codes }),
    ...(columns && { columns }),
  };
}

function loadTargets(parts: readonly string[], { numNodes, nodeOffsets, graph }: PartsInfo): NodeTargets {
  const names = graph.targets;
  const values = new Float32Array(numNodes * names.length);
  for (const [part, dir] of parts.entries()) {
    values.set(mapNpy(join(dir, "targets.npy"), "float32").values, (nodeOffsets[part] ?? 0) * names.length);
  }
  return { names, values };
}

/** The columns of one part's folder, mapped. */
export function mapPart(dir: string, { first, count }: { first: number; count: number }, weighted: boolean): CscPart {
  return {
    firstNode: first,
    numNodes: count,
    indptr: mapNpy(join(dir, "indptr.npy"), "int64").values,
    indices: mapNpy(join(dir, "indices.npy"), "int32").values,
    weights: weighted ? mapNpy(join(dir, "weight.npy"), "float32").values : null,
  };
}
