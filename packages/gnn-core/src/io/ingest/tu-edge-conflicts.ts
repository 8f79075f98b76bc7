import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../dataset-spec.ts";
import type { TuSection } from "../graphs-section.ts";
import { int64At, int64Words } from "../int64.ts";
import type { NumberFile } from "../tu/side-by-side.ts";
import { numberRows } from "../tu/tu-numbers.ts";
import type { EdgeRows } from "./read-edges.ts";
import type { StoredEdges } from "./store-edges.ts";

/** Two rows of one edge, the later one and the one that is kept */
interface Conflict {
  readonly row: number;
  readonly kept: number;
}

/**
 * DS_A.txt has each edge of a graph that is not directed twice, once in each direction, and the graph keeps one row of
 * both: what is said of them has to agree.
 *
 * @param pairs DS_A.txt as it was uploaded
 * @returns a sentence for the report when numbers differ, of which those of the first row are kept; else null
 * @throws GnnError DATASET_VALUE_INVALID with the line of a label that is not its edge's
 */
export async function checkTuEdges(
  pairs: NumberFile,
  tu: TuSection,
  rules: Pick<DatasetSpec, "selfLoops" | "directed" | "duplicates">,
  edges: EdgeRows,
  stored: StoredEdges,
): Promise<string | null> {
  if (!edges.types && !edges.features) return null;
  const { label, numbers, count } = conflictsOf(edges, stored);
  const lines = async ({ kept, row }: Conflict) => [await lineOf(kept, pairs, rules), await lineOf(row, pairs, rules)];
  const named = ({ row }: Conflict) => `${edges.src[row]! + 1}, ${edges.dst[row]! + 1}`;
  const remedy = rules.directed ? "" : "; set directed to true where each direction has a row of its own";
  if (label && tu.edgeLabels !== null) {
    const [before, line] = (await lines(label)) as [number, number];
    const { texts, finalCodes } = edges.typeNames.finish();
    const [found, other] = [label.row, label.kept].map((row) => texts[finalCodes[edges.types![row]!]!]);
    const message =
      `${tu.edgeLabels}, line ${line}: the edge ${named(label)} has the label ${found}, and line ${before}, which is ` +
      `of the same edge, has ${other}; expected one label for an edge${remedy}, or leave edgeLabels out.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: tu.edgeLabels, line } });
  }
  if (!numbers || rules.duplicates === "keep") return null;
  const [before, line] = await lines(numbers);
  const found = count === 1 ? "1 row repeats an edge" : `${count} rows repeat an edge`;
  return `${tu.edgeAttributes}: ${found} with other numbers, the first in line ${line}, of the edge ${named(numbers)} that line ${before} has too. The first row of an edge is kept${remedy}.`;
}

function conflictsOf(edges: EdgeRows, stored: StoredEdges) {
  const keptRow = keptRowOf(edges, stored);
  let label: Conflict | null = null;
  let numbers: Conflict | null = null;
  let count = 0;
  for (let row = 0; row < edges.numGiven; row++) {
    const kept = keptRow(row);
    if (kept === row) continue;
    if (edges.types && edges.types[kept] !== edges.types[row]) label ??= { row, kept };
    if (!haveOtherNumbers(edges, row, kept)) continue;
    numbers ??= { row, kept };
    count++;
  }
  return { label, numbers, count };
}

/** The row of the first stored edge with the ends of a row: entries of a column are in ascending order. */
function keptRowOf({ src, dst }: EdgeRows, { indptr, indices, rows }: StoredEdges): (row: number) => number {
  const offsets = int64Words(indptr);
  return (row) => {
    const from = src[row]!;
    let low = int64At(offsets, dst[row]!);
    let high = int64At(offsets, dst[row]! + 1);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (indices[middle]! < from) low = middle + 1;
      else high = middle;
    }
    return rows[low]!;
  };
}

function haveOtherNumbers({ features, src }: EdgeRows, row: number, kept: number): boolean {
  if (!features) return false;
  const dim = features.length / src.length;
  for (let i = 0; i < dim; i++) if (features[row * dim + i] !== features[kept * dim + i]) return true;
  return false;
}

/** The line of DS_A.txt that became a row: without loops where these are dropped. */
async function lineOf(
  row: number,
  { path, name }: NumberFile,
  { selfLoops }: Pick<DatasetSpec, "selfLoops">,
): Promise<number> {
  let kept = -1;
  for await (const { line, values } of numberRows(path, name, 2)) {
    if (selfLoops === "keep" || values[0] !== values[1]) kept++;
    if (kept === row) return line;
  }
  return row + 1;
}
