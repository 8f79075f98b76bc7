import type { PredictionColumn, PredictionColumns } from "../../tasks/known-nodes.ts";
import { rowRuns } from "../row-runs.ts";

/** What points can be coloured by. */
export type MapColumn =
  /** Codes into `names`, −1 = not known; int32 [numPoints] */
  | { readonly name: string; readonly type: "category"; readonly names: readonly string[]; readonly values: Int32Array }
  /** NaN = not known; float32 [numPoints] */
  | { readonly name: string; readonly type: "number"; readonly values: Float32Array };

/** More different texts than this are no categories. */
const mostNames = 1000;
/** A column for each class is of use while there are not too many. */
const mostColumns = 64;

type Gathered =
  | { readonly name: string; readonly type: "text"; readonly values: (string | null)[] }
  | { readonly name: string; readonly type: "float32"; readonly values: Float32Array };

/**
 * The columns that a task exports, for the points of a map, and what follows from them: `mistake`, where `label` and
 * `predicted` are both known and differ, and behind it `confidence`, which a task without that column has by the
 * probability `p_<x>` of the `predicted` x.
 *
 * @param outputs float32 [numNodes, width], the model's outputs by NodeIndex
 * @param rows    NodeIndex of each point, ascending
 * @param classes their order is that of the categories' names
 */
export function mapColumns(
  columnsOf: PredictionColumns,
  outputs: { readonly values: Float32Array; readonly width: number },
  rows: Int32Array,
  classes: readonly string[],
): MapColumn[] {
  const gathered = gather(columnsOf, outputs, rows);
  const others = gathered.filter(({ name }) => name !== "confidence");
  const shown = others.filter(({ type }, i) => type === "text" || i < mostColumns);
  return [...shown.flatMap((column) => mapColumn(column, classes)), ...mistakes(gathered), ...confidence(gathered)];
}

function gather(
  columnsOf: PredictionColumns,
  { values, width }: { readonly values: Float32Array; readonly width: number },
  rows: Int32Array,
): Gathered[] {
  const gathered: Gathered[] = [];
  let numDone = 0;
  for (const run of rowRuns(rows)) {
    const columns = columnsOf(run.start, values.subarray(run.start * width, (run.start + run.count) * width));
    if (gathered.length === 0) gathered.push(...columns.map((column) => emptyLike(column, rows.length)));
    for (const [i, column] of columns.entries()) {
      const to = gathered[i]!.values;
      for (const [at, row] of run.rows.entries()) to[numDone + at] = column.values[row - run.start]!;
    }
    numDone += run.rows.length;
  }
  return gathered;
}

function emptyLike({ name, type }: PredictionColumn, length: number): Gathered {
  return type === "text"
    ? { name, type, values: Array.from({ length }, () => null) }
    : { name, type, values: new Float32Array(length) };
}

function mapColumn(column: Gathered, classes: readonly string[]): MapColumn[] {
  const { name } = column;
  if (column.type === "float32") return [{ name, type: "number", values: column.values }];
  const found = new Set(column.values);
  const others = [...found].filter((text): text is string => text !== null && !classes.includes(text)).toSorted();
  const names = [...classes.filter((text) => found.has(text)), ...others];
  if (names.length > mostNames) return [];
  const codes = new Map(names.map((text, code) => [text, code]));
  const values = Int32Array.from(column.values, (text) => (text === null ? -1 : codes.get(text)!));
  return [{ name, type: "category", names, values }];
}

function textOf(columns: readonly Gathered[], name: string): (string | null)[] | null {
  const column = columns.find((one) => one.name === name);
  return column?.type === "text" ? column.values : null;
}

function mistakes(columns: readonly Gathered[]): MapColumn[] {
  const labels = textOf(columns, "label");
  const predicted = textOf(columns, "predicted");
  if (!labels || !predicted) return [];
  const values = Int32Array.from(labels, (label, i) => {
    if (label === null || predicted[i] === null) return -1;
    return label === predicted[i] ? 0 : 1;
  });
  return [{ name: "mistake", type: "category", names: ["right", "wrong"], values }];
}

function confidence(columns: readonly Gathered[]): MapColumn[] {
  const own = columns.find(({ name }) => name === "confidence");
  if (own?.type === "float32") return [{ name: "confidence", type: "number", values: own.values }];
  const predicted = textOf(columns, "predicted");
  const ofName = new Map(columns.map((column) => [column.name, column.values]));
  if (!predicted?.every((text) => text !== null && ofName.has(`p_${text}`))) return [];
  const values = Float32Array.from(predicted, (text, i) => Number(ofName.get(`p_${text}`)![i]));
  return [{ name: "confidence", type: "number", values }];
}
