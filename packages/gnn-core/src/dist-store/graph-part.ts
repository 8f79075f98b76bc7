import { join } from "node:path";
import { mapFeatures } from "../features/map-features.ts";
import type { CscGraph, CscPart } from "../graph/csc-graph.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { evenOffsets, type RowArray, type RowDtype } from "../partition/row-schema.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";
import { joined } from "./join-arrays.ts";

/** Rows of one rank's nodes or edges. */
export interface PartRows<D extends RowDtype = RowDtype> {
  readonly dtype: D;
  readonly rowShape: readonly number[];
  readonly values: RowArray<D>;
}

/** What one rank holds of a graph: a range of nodes with all their in-edges. */
export interface GraphPart {
  readonly numNodes: number;
  readonly numEdges: number;
  /** [worldSize + 1]: who owns which GlobalIds, and which in-edges */
  readonly nodeOffsets: readonly number[];
  readonly edgeOffsets: readonly number[];
  /** int32 [nodes of this rank] */
  readonly inDegrees: Int32Array;
  /** int32 [edges of this rank]: GlobalId at which each in-edge begins, by node */
  readonly sources: Int32Array;
  readonly nodeRows: Readonly<Record<string, PartRows>>;
  readonly edgeRows: Readonly<Record<string, PartRows>>;
}

/**
 * This rank's range of a graph in memory; ranges have equally many nodes but for one.
 *
 * @param nodeRows rows of all nodes, by name
 */
export function cutGraph(
  graph: CscGraph,
  rank: { readonly rank: number; readonly worldSize: number },
  nodeRows: Readonly<Record<string, PartRows>> = {},
): GraphPart {
  const nodeOffsets = evenOffsets(graph.numNodes, rank.worldSize);
  const degrees = joined("int32", graph.parts.map(degreesOf));
  const sources = joined(
    "int32",
    graph.parts.map(({ indices }) => indices),
  );
  const weights = graph.parts[0]?.weights
    ? joined(
        "float32",
        graph.parts.map((part) => part.weights as Float32Array),
      )
    : null;
  const edgeOffsets = [0];
  for (let owner = 0; owner < rank.worldSize; owner++) {
    const sum = degrees.subarray(nodeOffsets[owner], nodeOffsets[owner + 1]).reduce((a, b) => a + b, 0);
    edgeOffsets.push((edgeOffsets[owner] as number) + sum);
  }
  const firstNode = nodeOffsets[rank.rank] as number;
  const endNode = nodeOffsets[rank.rank + 1] as number;
  const firstEdge = edgeOffsets[rank.rank] as number;
  const endEdge = edgeOffsets[rank.rank + 1] as number;
  const cutRows = ([name, { dtype, rowShape, values }]: [string, PartRows]): [string, PartRows] => {
    const width = rowShape.reduce((product, size) => product * size, 1);
    return [name, { dtype, rowShape, values: values.subarray(firstNode * width, endNode * width) }];
  };
  return {
    numNodes: graph.numNodes,
    numEdges: edgeOffsets.at(-1) as number,
    nodeOffsets,
    edgeOffsets,
    inDegrees: degrees.subarray(firstNode, endNode),
    sources: sources.subarray(firstEdge, endEdge),
    nodeRows: Object.fromEntries(Object.entries(nodeRows).map(cutRows)),
    edgeRows: weights
      ? { weight: { dtype: "float32", rowShape: [], values: weights.subarray(firstEdge, endEdge) } }
      : {},
  };
}

/**
 * This rank's parts of a `parts` artifact; only their files are opened. Ranks take equal numbers of parts, in order;
 * the files of a single part are mapped, those of several are joined in memory.
 *
 * Node rows: `labels` int32, `split` int8, `type` int32 when the nodes have types, `features` float32 [dim] when they
 * are dense (fp16 and int8 are decoded); edge rows: `weight` float32.
 *
 * @throws GnnError MANIFEST_INVALID, DATASET_FILE_MISSING, DATASET_FORMAT_INVALID
 */
export function loadGraphPart(
  artifact: ArtifactDir,
  { rank, worldSize }: { readonly rank: number; readonly worldSize: number },
): GraphPart {
  const info = parsePartsInfo(artifact);
  const partOffsets = evenOffsets(info.numParts, worldSize);
  const firstPart = partOffsets[rank] as number;
  const endPart = partOffsets[rank + 1] as number;
  const dirs = Array.from({ length: endPart - firstPart }, (_, i) => join(artifact.dir, `part${firstPart + i}`));
  const map = <D extends RowDtype>(name: string, dtype: D): RowArray<D> =>
    joined(
      dtype,
      dirs.map((dir) => mapNpy(join(dir, name), dtype).values as RowArray<D>),
    );
  const has = (file: string) => artifact.manifest.blobs.some(({ name }) => name === `part0/${file}`);
  const { features } = info.graph;
  return {
    numNodes: info.numNodes,
    numEdges: info.numEdges,
    nodeOffsets: partOffsets.map((part) => info.nodeOffsets[part] as number),
    edgeOffsets: partOffsets.map((part) => info.edgeOffsets[part] as number),
    inDegrees: joined(
      "int32",
      dirs.map((dir) => degreesOf({ indptr: mapNpy(join(dir, "indptr.npy"), "int64").values })),
    ),
    sources: map("indices.npy", "int32"),
    nodeRows: {
      labels: { dtype: "int32", rowShape: [], values: map("labels.npy", "int32") },
      split: { dtype: "int8", rowShape: [], values: map("split.npy", "int8") },
      ...(has("type.npy") ? { type: { dtype: "int32", rowShape: [], values: map("type.npy", "int32") } as const } : {}),
      ...(features.kind === "dense" ? { features: denseRows(artifact, features, dirs) } : {}),
    },
    edgeRows: has("weight.npy")
      ? { weight: { dtype: "float32", rowShape: [], values: map("weight.npy", "float32") } }
      : {},
  };
}

function denseRows(
  artifact: ArtifactDir,
  features: Parameters<typeof mapFeatures>[0],
  dirs: readonly string[],
): PartRows<"float32"> {
  const shape = { dtype: "float32", rowShape: [features.dim] } as const;
  if (features.dtype === "fp32" && dirs.length === 1) {
    return { ...shape, values: mapNpy(join(dirs[0] as string, "features.npy"), "float32").values };
  }
  const stems = dirs.map((dir) => join(dir, "features"));
  const rows = mapFeatures(features, stems, artifact.dir);
  const decoded = rows?.gather(Int32Array.from({ length: rows.numRows }, (_, row) => row));
  return { ...shape, values: decoded?.values ?? new Float32Array(0) };
}

function degreesOf({ indptr }: Pick<CscPart, "indptr">): Int32Array {
  const words = int64Words(indptr);
  return Int32Array.from({ length: indptr.length - 1 }, (_, node) => int64At(words, node + 1) - int64At(words, node));
}
