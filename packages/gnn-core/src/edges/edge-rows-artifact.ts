import { join } from "node:path";
import type { KnownEdges } from "../components/define-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { parseSplitEdgesInfo } from "../spec/edge-rows-options.ts";
import type { KnownNodes } from "../tasks/known-nodes.ts";
import type { LabelledEdges } from "./edge-task.ts";

/** An `edgeRows` artifact, mapped into memory. */
export interface EdgeRowsArtifact extends KnownEdges {
  readonly edges: LabelledEdges;
  /** int8 [edges], one of `splitCode` */
  readonly split: Int8Array;
  readonly classes: readonly string[];
}

/**
 * @param nodeMap NodeIndex of every GlobalId, where ends are wanted by GlobalId; null: by NodeIndex
 * @throws GnnError MANIFEST_INVALID when the edges are of another graph than the node map
 */
export function mapEdgeRows(artifact: ArtifactDir, nodeMap: Int32Array | null): EdgeRowsArtifact {
  const { numNodes, directed, classes, targets, featureDim } = parseSplitEdgesInfo(artifact);
  const path = (name: string) => join(artifact.dir, name);
  const idOf = globalIds(nodeMap, numNodes);
  const ends = mapNpy(path("ends.npy"), "int32").values;
  const end = (offset: number) => Int32Array.from({ length: ends.length / 2 }, (_, i) => idOf(ends[2 * i + offset]!));
  return {
    edges: {
      src: end(0),
      dst: end(1),
      features: featureDim === 0 ? null : mapNpy(path("features.npy"), "float32").values,
      featureDim,
      directed,
    },
    split: mapNpy(path("split.npy"), "int8").values,
    labels: mapNpy(path("labels.npy"), "int32").values,
    classes,
    numClasses: classes.length,
    targets: targets.length === 0 ? null : { names: targets, values: mapNpy(path("targets.npy"), "float32").values },
  };
}

function globalIds(nodeMap: Int32Array | null, numNodes: number): (node: number) => number {
  if (!nodeMap) return (node) => node;
  if (nodeMap.length !== numNodes) {
    const message = `The edges are of ${numNodes} nodes and the graph has ${nodeMap.length}: they do not belong together.`;
    throw new GnnError("MANIFEST_INVALID", message);
  }
  const ids = new Int32Array(numNodes);
  for (const [id, node] of nodeMap.entries()) ids[node] = id;
  return (node) => ids[node]!;
}

/** The edges as rows whose predictions are counted and written. */
export function edgesAsRows({ labels, classes, targets }: EdgeRowsArtifact): KnownNodes {
  return { numNodes: labels.length, classes, labels, labelSets: null, targets };
}
