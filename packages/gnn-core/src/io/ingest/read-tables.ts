import { GnnError } from "../../errors/gnn-error.ts";
import { isDirected } from "../dataset-labels.ts";
import type { DatasetSpec, EdgesSection } from "../dataset-spec.ts";
import { sameTable } from "./edge-ends.ts";
import { type WrittenFeatures, writeFeatureMatrix } from "./feature-sink.ts";
import { IdIndex } from "./id-index.ts";
import { idWarnings } from "./id-warnings.ts";
import type { IngestContext } from "./ingest-context.ts";
import { requireTrainingRows } from "./link-columns.ts";
import { type EdgeRows, readEdges } from "./read-edges.ts";
import { type GraphRows, readGraphs } from "./read-graphs.ts";
import { type HeldOutPairs, readHeldOutPairs } from "./read-held-out-pairs.ts";
import { type NodeRows, readNodes } from "./read-nodes.ts";
import type { StoreRules } from "./store-edges.ts";
import type { IdList } from "./write-ids.ts";

/** All that the files of a dataset say, by NodeIndex, whether in one table or in one for each type. */
export interface ReadTables {
  readonly ids: IdList;
  /** Whether ids are told apart by their type, `type/id`, as several types have some alike */
  readonly hasTypeInIds: boolean;
  readonly nodes: NodeRows | null;
  /** null: the dataset is one graph */
  readonly graphs: GraphRows | null;
  readonly edges: EdgeRows;
  /** null: no files have pairs without a link */
  readonly heldOut: HeldOutPairs | null;
  readonly rules: StoreRules;
  readonly weightColumn: string | null;
  /** What in the ids looks like anything but an id */
  readonly ofIds: readonly string[];
  /** Writes the features of `ids.size` nodes. */
  writeFeatures(): Promise<WrittenFeatures>;
}

/** Reads a spec of one table of edges, and perhaps one of nodes. */
export async function readTables(context: IngestContext, spec: DatasetSpec): Promise<ReadTables> {
  const section = spec.edges as EdgesSection;
  const ids = new IdIndex();
  const reading = spec.graphs ? await readGraphs(context, spec.graphs) : null;
  const ofGraphs = reading && { ranges: reading.ranges, areIdsLocal: section.graph !== undefined };
  const nodes = spec.nodes ? await readNodes(context, spec.nodes, ids, ofGraphs) : null;
  const graphs = reading ? await reading.finish() : null;
  const { missingNodes, selfLoops, duplicates } = spec;
  const edges = await readEdges(context, section, sameTable(ids), {
    missingNodes,
    selfLoops,
    hasNodes: nodes !== null,
    ...(graphs && { graphOf: graphOfEach(graphs) }),
  });
  requireEdges(section.files, edges);
  requireTrainingRows([{ files: section.files, links: edges.links }]);
  return {
    ids,
    hasTypeInIds: false,
    nodes,
    graphs,
    edges,
    heldOut: await readHeldOutPairs(context, section, { ids, edges, directed: isDirected(spec) }),
    rules: { duplicates, directed: isDirected(spec), reverseTypes: section.reverseTypes },
    weightColumn: section.weight,
    ofIds: idWarnings(section, ids, edges.files, nodes?.files ?? []),
    writeFeatures: () => writeFeatures(context, spec, nodes, ids.size),
  };
}

/** The graph of every node */
function graphOfEach({ offsets }: GraphRows): Int32Array {
  const graphOf = new Int32Array(offsets.at(-1) ?? 0);
  for (let g = 0; g + 1 < offsets.length; g++) graphOf.fill(g, offsets[g], offsets[g + 1]);
  return graphOf;
}

async function writeFeatures(
  context: IngestContext,
  spec: DatasetSpec,
  nodes: NodeRows | null,
  numNodes: number,
): Promise<WrittenFeatures> {
  if (nodes?.features) return nodes.features.finish(numNodes);
  const features = spec.nodes?.features;
  if (!nodes || !features || !("file" in features)) return { info: { kind: "none", dim: 0 }, blobs: [] };
  const file = await context.files.find(features.file);
  return writeFeatureMatrix(context, file, nodes.numRows, numNodes);
}

/**
 * A graph, or a relation, without edges is a mistake in the files or in their mapping: nothing could be learned of it.
 *
 * @throws GnnError DATASET_FILE_EMPTY
 */
export function requireEdges(files: readonly string[], edges: EdgeRows, relation?: string): void {
  if (edges.src.length > 0) return;
  const [file] = files as [string];
  const ofRelation = relation === undefined ? "" : ` of the relation "${relation}"`;
  if (edges.rowsRead === 0) {
    const message = `${files.join(", ")} ${files.length === 1 ? "has" : "have"} no edge${ofRelation}. Upload at least one, or switch the header off if the first line is one.`;
    throw new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
  }
  const message = `No edge${ofRelation} is left of ${edges.rowsRead} rows: ${edges.selfLoops} lead from a node to itself, ${edges.danglingRows} name ids that are not among the nodes. Check the columns chosen for source, destination and node id.`;
  throw new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
}
