import { isLearned } from "../check-types.ts";
import { typeNamesOf } from "../dataset-labels.ts";
import type { DatasetSpec, NodesSection } from "../dataset-spec.ts";
import { featureLayoutOf } from "./feature-layout.ts";
import { isCsr, readCsrMatrix, readDenseMatrix } from "./feature-matrix.ts";
import { IdIndex } from "./id-index.ts";
import type { IngestContext } from "./ingest-context.ts";
import { openNodes } from "./node-source.ts";
import { oneHotDim, readOneHotColumns } from "./one-hot.ts";
import { joinTables } from "./profile/table-profile.ts";
import { type NodeRows, readNodesInto } from "./read-nodes.ts";
import { sparseLayoutOf } from "./sparse-feature-sink.ts";
import { TextCodes } from "./text-codes.ts";
import type { TypedFeatures } from "./typed-features.ts";
import type { TypeIds } from "./typed-ids.ts";

type Rows = Omit<NodeRows, "features">;

/** The nodes of one type, of its own table */
export interface TypeRows extends TypeIds {
  readonly section: NodesSection;
  /** NodeIndex of the first of them */
  readonly first: number;
  readonly rows: Rows;
}

/** Reads the table of each type, one after the other, and with it the type's features. */
export async function readTypedNodes(
  context: IngestContext,
  nodeTypes: NonNullable<DatasetSpec["nodeTypes"]>,
  features: TypedFeatures,
): Promise<readonly TypeRows[]> {
  const types: TypeRows[] = [];
  let first = 0;
  for (const name of typeNamesOf(nodeTypes)) {
    const section = nodeTypes[name] as NodesSection;
    const ids = new IdIndex();
    const source = await openNodes(context, section, ids, false);
    const oneHot = await readOneHotColumns(context, section, source);
    const { dim } = featureLayoutOf(section, context.limits, oneHotDim(oneHot));
    const sparse = sparseLayoutOf(section, dim);
    const opened = sparse && (await features.openSparse(name, sparse, oneHot));
    const sink = opened ? opened.sink : dim > 0 ? await features.openDense(name, dim, oneHot) : null;
    const rows = await readNodesInto(context, section, ids, sink, { type: name, oneHot, source });
    opened?.close();
    if (sink === null) await addMatrix(context, name, section, rows.numRows, features);
    types.push({ name, ids, section, first, rows });
    first += ids.size;
  }
  return types;
}

async function addMatrix(
  context: IngestContext,
  type: string,
  { features: chosen }: NodesSection,
  numRows: number,
  features: TypedFeatures,
): Promise<void> {
  if (!chosen || !("file" in chosen)) return features.addNone(type, numRows);
  const file = await context.files.find(chosen.file);
  if (await isCsr(file)) return features.addCsr(type, await readCsrMatrix(context, file, numRows));
  await readDenseMatrix(context, file, numRows, (dim) => features.openDense(type, dim));
}

/** The rows of all types as those of one table; what is learned lies on one of them. */
export function joinNodes(types: readonly TypeRows[]): NodeRows {
  const numRows = types.reduce((sum, { rows }) => sum + rows.numRows, 0);
  const learned = types.find(({ section }) => isLearned(section)) ?? types[0]!;
  const typeNames = new TextCodes();
  const codes = new Int32Array(numRows);
  const splits = new Int32Array(numRows);
  for (const { name, first, rows } of types) {
    codes.fill(typeNames.codeOf(name), first, first + rows.numRows);
    splits.set(rows.splits, first);
  }
  const { rows, first } = learned;
  const { labelPairs } = rows;
  return {
    ...rows,
    numRows,
    labels: at(first, numRows, rows.labels),
    labelPairs: labelPairs && { finish: (numNodes) => labelPairs.finish(numNodes, first) },
    targets: targetsAt(learned, numRows),
    splits,
    types: codes,
    typeNames,
    features: null,
    files: types.flatMap((type) => type.rows.files),
    profile: joinTables(
      types.map((type) => type.rows.profile),
      types.indexOf(learned),
    ),
  };
}

/** −1 for the nodes of other types */
function at(first: number, numNodes: number, codes: Int32Array): Int32Array {
  const all = new Int32Array(numNodes).fill(-1);
  all.set(codes, first);
  return all;
}

function targetsAt({ rows: { targets, targetNames }, first }: TypeRows, numNodes: number): Float32Array {
  const all = new Float32Array(numNodes * targetNames.length).fill(Number.NaN);
  all.set(targets, first * targetNames.length);
  return all;
}
