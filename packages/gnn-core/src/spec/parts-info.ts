import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import { featureDtypes } from "../features/feature-dtype.ts";
import { typeColumns } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";

const count = z.number().int().nonnegative();

/** What a cut costs; recomputed from the parts, not taken from the partitioner. */
export const partitionReport = z.object({
  numParts: z.number().int().min(1),
  /** Fraction of the directed edges whose ends lie in different parts */
  edgeCut: z.number(),
  /** Rows fetched when every part fetches each outside in-neighbour once */
  communicationVolume: count,
  /** Mean number of in-neighbours per node that lie in another part */
  expectedRemoteReads: z.number(),
  /** Largest part over the mean part; validation and test nodes since their count is reported */
  imbalance: z.object({
    nodes: z.number(),
    edges: z.number(),
    train: z.number(),
    val: z.number().optional(),
    test: z.number().optional(),
  }),
  parts: z.array(
    z.object({
      part: count,
      nodes: count,
      edges: count,
      trainNodes: count,
      valNodes: count.optional(),
      testNodes: count.optional(),
      haloNodes: count,
    }),
  ),
  /** What each part has of each type of node; left out: nodes are alike, or of more types than the report counts */
  types: z
    .array(
      z.object({
        type: z.string(),
        nodes: z.array(count),
        edges: z.array(count),
        haloNodes: z.array(count),
      }),
    )
    .optional(),
});
export type PartitionReport = z.infer<typeof partitionReport>;

/** `info` of an artifact of kind `parts`. */
export const partsInfo = z.object({
  numParts: z.number().int().min(1),
  numNodes: count,
  numEdges: count,
  nodeOffsets: z.array(count),
  edgeOffsets: z.array(count),
  partitioner: z.object({ type: z.string(), options: z.record(z.string(), z.unknown()) }),
  graph: z.object({
    classes: z.array(z.string()),
    multiLabel: z.boolean().default(false),
    /** Names of the numeric targets */
    targets: z.array(z.string()).default([]),
    features: z.object({
      kind: z.enum(["none", "dense", "csr"]),
      dim: count,
      dtype: z.enum(featureDtypes).default("fp32"),
      /** Columns of each type of node, where types have columns of their own */
      types: z.array(typeColumns).optional(),
    }),
    /** Names that `edge_type.npy` counts */
    edgeTypes: z.array(z.string()).default(["edge"]),
    /** Names that `type.npy` counts */
    nodeTypes: z.array(z.string()).default(["node"]),
    splits: z.object({ train: count, val: count, test: count, none: count }),
    idType: z.enum(["int64", "string"]),
    directed: z.boolean(),
  }),
  /** Graphs of a set, each of which lies in one part; left out: the parts were cut without regard to graphs */
  graphs: z
    .object({
      numGraphs: count,
      classes: z.array(z.string()),
      /** Names of the numeric targets */
      targets: z.array(z.string()),
      splits: z.object({ train: count, val: count, test: count, none: count }),
    })
    .optional(),
  /** Digest of the split of links whose messages are the edges here; null: all edges are */
  links: z.string().nullable().default(null),
  report: partitionReport,
});
export type PartsInfo = z.infer<typeof partsInfo>;

/** @throws GnnError MANIFEST_INVALID when the artifact is no `parts` or its facts do not have their form */
export function parsePartsInfo({ dir, manifest }: ArtifactDir): PartsInfo {
  if (manifest.kind !== "parts") {
    throw new GnnError("MANIFEST_INVALID", `${dir} holds an artifact of kind "${manifest.kind}"; expected "parts".`);
  }
  const parsed = partsInfo.safeParse(manifest.info);
  if (parsed.success) return parsed.data;
  throw new GnnError("MANIFEST_INVALID", `${dir}: info of the parts is damaged: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}
