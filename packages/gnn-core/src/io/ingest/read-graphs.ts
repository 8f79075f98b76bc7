import { GnnError } from "../../errors/gnn-error.ts";
import type { NodesSection } from "../dataset-spec.ts";
import type { FoldFile, GraphsSection } from "../graphs-section.ts";
import { GraphRanges, type RangesOfGraphs } from "./graph-ranges.ts";
import { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type IngestContext, readSection } from "./ingest-context.ts";
import { placeOfRow } from "./place-of-row.ts";
import { type NodeRows, readNodesInto } from "./read-nodes.ts";
import { TextCodes } from "./text-codes.ts";

/** The table of graphs as it was read, and which nodes its graphs have */
export interface GraphRows extends RangesOfGraphs {
  readonly ids: IdIndex;
  /** Labels, targets and split by row of the table */
  readonly known: NodeRows;
  /** Provisional codes of the folds by row of the table, -1 = in none; null: there are no folds */
  readonly folds: Int32Array | null;
  readonly foldNames: TextCodes;
}

/** What has been read of the graphs when the nodes are read */
export interface GraphReading {
  readonly ranges: GraphRanges;
  /** To be called when all nodes have been read. @throws GnnError DATASET_VALUE_INVALID for a graph without a node */
  finish(): Promise<GraphRows>;
}

/**
 * Reads the table of graphs: what is known of a graph is read as what is known of a node.
 *
 * @throws GnnError those of `readNodesInto`; DATASET_NODE_UNKNOWN, DATASET_DUPLICATE for a row of the folds
 */
export async function readGraphs(context: IngestContext, section: GraphsSection): Promise<GraphReading> {
  const ids = new IdIndex();
  const read = await readNodesInto(context, asNodes(section), ids, null);
  const folds = section.foldFile ? await readFolds(context, section.foldFile, ids) : null;
  const ranges = new GraphRanges(ids, section.files.join(", "));
  return {
    ranges,
    async finish() {
      const { empty, ...found } = ranges.finish();
      if (empty[0] !== undefined) throw await withoutNodes(context, section, ids, empty[0]);
      const ofColumn = { folds: read.types, foldNames: read.typeNames };
      return { ...found, ids, known: { ...read, features: null }, ...(folds ?? ofColumn) };
    },
  };
}

/** The columns of a table of graphs as those of nodes; the fold is read as a type is. */
function asNodes({ files, reader, id, label, missingLabels, targets, split, splitWords, fold }: GraphsSection) {
  const others = { labelSeparator: null, labelColumns: [], labelFile: null, splitMasks: null, features: null };
  const columns = { id, label, missingLabels, targets, split, splitWords, type: fold };
  return { files, reader, ...columns, ...others } satisfies NodesSection;
}

async function readFolds(context: IngestContext, file: FoldFile, ids: IdIndex) {
  const folds = new Int32Array(ids.size).fill(-1);
  const foldNames = new TextCodes();
  const columns = [file.graph, file.fold].map((name) => ({ name, as: "text" as const }));
  for await (const batch of readSection(context, file, columns, "read folds")) {
    const [graphs, names] = batch.columns as readonly (readonly (string | null)[])[];
    for (let i = 0; i < batch.numRows; i++) {
      const id = idOf(graphs?.[i] ?? null);
      const row = ids.indexOf(id);
      if (row < 0) {
        const found = `there is no graph ${JSON.stringify(id)}; expected one of the table of graphs.`;
        throw await errorAt("DATASET_NODE_UNKNOWN", batch, i, file.graph, found);
      }
      if (folds[row] !== -1) {
        const found = `the graph ${JSON.stringify(id)} is there a second time; every graph is in one fold.`;
        throw await errorAt("DATASET_DUPLICATE", batch, i, file.graph, found);
      }
      const name = idOf(names?.[i] ?? null);
      if (name !== "") folds[row] = foldNames.codeOf(name);
    }
  }
  return { folds, foldNames };
}

async function withoutNodes(
  context: IngestContext,
  { files, reader, id: field }: GraphsSection,
  ids: IdIndex,
  row: number,
): Promise<GnnError> {
  const id = [...ids.ids()][row];
  const { file, line } = await placeOfRow(context, files, reader, row);
  const message = `${file}, line ${line}, column "${field}": the graph ${JSON.stringify(id)} has no node; expected at least one: leave it out, or add its nodes.`;
  return new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line, field } });
}
