import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cscFromCoo } from "../../src/graph/csc-from-coo.ts";
import { int64Words, setInt64 } from "../../src/io/int64.ts";
import type { ArtifactDir, ManifestDraft } from "../../src/io/manifest.ts";
import { type WrittenArray, writeNpy } from "../../src/io/npy.ts";

export interface SmallGraph {
  readonly numNodes: number;
  /** [src, dst] rows; stored as given */
  readonly edges: readonly (readonly [number, number])[];
  /** One per edge row */
  readonly weights?: readonly number[];
  /** One per edge row, an index into the types e0, e1, e2 */
  readonly edgeTypes?: readonly number[];
  /** One row of numbers per edge row */
  readonly edgeFeatures?: readonly (readonly number[])[];
  /** One per node, an index into the types n0, n1, n2 */
  readonly nodeTypes?: readonly number[];
  readonly labels?: readonly number[];
  readonly split?: readonly number[];
  /** Dense rows, or CSR rows as lists of [column, value] */
  readonly features?:
    | { readonly kind: "dense"; readonly rows: readonly (readonly number[])[] }
    | {
        readonly kind: "csr";
        readonly dim: number;
        readonly rows: readonly (readonly (readonly [number, number])[])[];
      };
}

/** A fresh folder that the caller removes. */
export async function tempDir(): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-core-"));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}

/** Wraps files on disk as a verified artifact. */
export function asArtifact(kind: string, dir: string, draft: ManifestDraft): ArtifactDir {
  return {
    dir,
    manifest: {
      version: 1,
      kind,
      step: "test",
      stepVersion: 1,
      engine: "test",
      inputs: {},
      options: {},
      info: draft.info,
      blobs: draft.blobs.map((blob) => ({ ...blob, bytes: 0, sha256: "0".repeat(64) })),
      byteOrder: "little",
      digest: "0".repeat(64),
    },
  };
}

/** Writes a `graph` artifact in the layout of docs/ARCHITECTURE.md. */
export async function writeGraphArtifact(dir: string, graph: SmallGraph): Promise<ArtifactDir> {
  const { numNodes, edges, features } = graph;
  const csc = await cscFromCoo(
    Int32Array.from(edges, ([src]) => src),
    Int32Array.from(edges, ([, dst]) => dst),
    numNodes,
  );
  const blobs: WrittenArray[] = [];
  const write = async (
    name: string,
    dtype: "int32" | "float32" | "int8",
    values: readonly number[],
    shape = [values.length],
  ) => {
    const array = { int32: Int32Array, float32: Float32Array, int8: Int8Array }[dtype].from(values);
    await writeNpy(join(dir, name), dtype, shape, array as never);
    blobs.push({ name, dtype, shape });
  };
  await writeNpy(join(dir, "graph/indptr.npy"), "int64", [numNodes + 1], csc.indptr);
  blobs.push({ name: "graph/indptr.npy", dtype: "int64", shape: [numNodes + 1] });
  await write("graph/indices.npy", "int32", [...csc.indices]);
  const { weights } = graph;
  if (weights)
    await write(
      "edges/weight.npy",
      "float32",
      Array.from(csc.edgeIds, (row) => weights[row]!),
    );
  const { edgeTypes, edgeFeatures } = graph;
  if (edgeTypes) {
    await write(
      "edges/type.npy",
      "int32",
      Array.from(csc.edgeIds, (row) => edgeTypes[row]!),
    );
  }
  if (edgeFeatures) {
    const rows = Array.from(csc.edgeIds, (row) => edgeFeatures[row]!);
    await write("edges/features.npy", "float32", rows.flat(), [rows.length, rows[0]?.length ?? 1]);
  }
  if (graph.nodeTypes) await write("nodes/type.npy", "int32", graph.nodeTypes);
  if (graph.labels) await write("nodes/labels.npy", "int32", graph.labels);
  if (graph.split) await write("nodes/split.npy", "int8", graph.split);
  if (features?.kind === "dense") {
    await write("nodes/features.npy", "float32", features.rows.flat(), [numNodes, features.rows[0]?.length ?? 0]);
  } else if (features?.kind === "csr") {
    const indptr = new BigInt64Array(numNodes + 1);
    features.rows.reduce((sum, row, i) => {
      setInt64(int64Words(indptr), i + 1, sum + row.length);
      return sum + row.length;
    }, 0);
    await writeNpy(join(dir, "nodes/features/indptr.npy"), "int64", [numNodes + 1], indptr);
    blobs.push({ name: "nodes/features/indptr.npy", dtype: "int64", shape: [numNodes + 1] });
    await write(
      "nodes/features/indices.npy",
      "int32",
      features.rows.flatMap((row) => row.map(([column]) => column)),
    );
    await write(
      "nodes/features/data.npy",
      "float32",
      features.rows.flatMap((row) => row.map(([, value]) => value)),
    );
  }
  const dim = features?.kind === "dense" ? (features.rows[0]?.length ?? 0) : (features?.dim ?? 0);
  const info = {
    numNodes,
    numEdges: edges.length,
    idType: "int64",
    directed: true,
    nodeTypes: graph.nodeTypes ? ["n0", "n1", "n2"] : ["node"],
    edgeTypes: edgeTypes ? ["e0", "e1", "e2"] : ["edge"],
    features: { kind: features?.kind ?? "none", dim },
    classes: [...new Set(graph.labels ?? [])].filter((label) => label >= 0).map(String),
  };
  return asArtifact("graph", dir, { info, blobs });
}
