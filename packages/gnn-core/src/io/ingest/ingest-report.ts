import { z } from "zod";
import { edgeRowsInfo } from "./edge-rows-info.ts";
import { featureValueKinds } from "./feature-values.ts";
import { graphProfile } from "./profile/graph-profile.ts";
import { setOfGraphs } from "./set-of-graphs.ts";

const badRow = z.object({ file: z.string(), line: z.number().int(), column: z.string(), found: z.string() });
/** A row that was left out, and why: the value found in that column. */
export type BadRow = z.infer<typeof badRow>;

/** What an ingest did with the rows it read; nothing is left out in silence. */
export const ingestReport = z.object({
  /** Rows of all files; `nodeRows` + `edgeRows`. */
  rowsRead: z.number().int(),
  nodeRows: z.number().int(),
  edgeRows: z.number().int(),
  /** Rows of each file, as they were read; left out where no section has several files, and by earlier versions */
  files: z
    .array(
      z.object({
        name: z.string(),
        nodeRows: z.number().int(),
        edgeRows: z.number().int(),
        /** Among `nodeRows`; left out: none */
        replacedRows: z.number().int().optional(),
      }),
    )
    .optional(),
  /** Rows of nodes that a later row of the same id replaced, in all files; left out: none */
  replacedRows: z.number().int().optional(),
  /** Rows that repeat an earlier edge (in either direction when undirected). */
  duplicateEdges: z.number().int(),
  /** Rows that join a node with itself. */
  selfLoops: z.number().int(),
  /** Distinct ids of the edges that are not among the nodes. */
  danglingIds: z.number().int(),
  isolatedNodes: z.number().int(),
  /** The first rows that were dropped. */
  badRows: z.array(badRow),
  warnings: z.array(z.string()),
});
export type IngestReport = z.infer<typeof ingestReport>;

const count = z.number().int().nonnegative();

/** The columns [first, first + dim) of the features hold those of one type of node. */
export const typeColumns = z.object({ name: z.string(), first: count, dim: count });

/** `info` of a `graph` artifact. */
export const graphInfo = z.object({
  numNodes: count,
  numEdges: count,
  idType: z.enum(["int64", "string"]),
  /** Ids are `type/id`, as nodes of several types have some alike; left out: they are those of the files */
  hasTypeInIds: z.boolean().optional(),
  directed: z.boolean(),
  /** `numValues`: stored values of all CSR rows; `values` and `numNonZero` are missing in graphs of earlier versions */
  features: z.object({
    kind: z.enum(["none", "dense", "csr"]),
    dim: count,
    numValues: count.optional(),
    values: z.enum(featureValueKinds).optional(),
    numNonZero: count.optional(),
    /** Columns of each type of node, where types have columns of their own; `dim` 0: the type has none */
    types: z.array(typeColumns).optional(),
    /** Columns whose values became columns of 0 and 1, before the numbers, in this order; left out: none */
    oneHot: z.array(z.object({ name: z.string(), values: z.array(z.string()) })).optional(),
  }),
  classes: z.array(z.string()),
  splits: z.object({ train: count, val: count, test: count, none: count }),
  /** Nodes have several labels each; `labelCounts` then counts the nodes of each */
  multiLabel: z.boolean().default(false),
  /** Numeric columns to predict, over the nodes where they are known */
  targets: z
    .array(
      z.object({
        name: z.string(),
        count,
        mean: z.number().nullable(),
        deviation: z.number().nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
      }),
    )
    .default([]),
  labelCounts: z.array(z.object({ label: z.string(), count })),
  /** In-degrees: bin i counts nodes with edges[i] ≤ degree < edges[i + 1]. */
  degreeHistogram: z.object({ edges: z.array(z.number()), counts: z.array(count) }),
  /** What the mapped column holds; null: none was mapped. Missing in graphs of earlier versions. */
  weights: z.object({ column: z.string(), numNegative: count, numZero: count }).nullable().optional(),
  /**
   * Among the stored edges between two labelled nodes, `same` join nodes of one class; `expected` is the share that
   * would if edges were drawn at random between nodes of these degrees. null: no such edge, or several labels per node.
   * Missing in graphs of earlier versions.
   */
  homophily: z.object({ edges: count, same: count, expected: z.number() }).nullable().optional(),
  edgeTypes: z.array(z.string()).default(["edge"]),
  nodeTypes: z.array(z.string()).default(["node"]),
  /** How many nodes have which labels, where these are several, and their type; left out: there are none */
  typeCombinations: z.array(z.object({ labels: z.array(z.string()), type: z.string(), count })).optional(),
  /** Nodes of each type, and edges of each relation between them; left out: all are alike, or of an earlier version */
  schema: z
    .object({
      nodeTypes: z.array(z.object({ name: z.string(), count })),
      relations: z.array(z.object({ source: z.string(), name: z.string(), target: z.string(), count })),
    })
    .optional(),
  /** Left out: the dataset is one graph. */
  graphs: setOfGraphs.optional(),
  /** Left out: nothing of the edges is to be predicted. */
  edgeRows: edgeRowsInfo.optional(),
  report: ingestReport,
  /** Missing in graphs of earlier versions */
  profile: graphProfile.optional(),
});
export type GraphInfo = z.infer<typeof graphInfo>;
