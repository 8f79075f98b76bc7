import { GnnError } from "../../errors/gnn-error.ts";
import type { NpyMember } from "./npy-member.ts";
import type { NamedArrays } from "./numpy-arrays.ts";
import { wholeOf } from "./numpy-edges.ts";
import { asField } from "./numpy-texts.ts";

export const labelNames = ["y", "label", "labels", "node_label", "node_labels", "target", "targets"];

/** What is known of each node */
export interface NodeLabels {
  readonly length: number;
  /** What nodes are labelled with, in any order and as often as it is there; NaN: nothing */
  readonly classes: Float64Array;
  /** The cell of a node in a table; classes of a node that has several stand between bars. Empty: it has none */
  textOf(node: number, names: readonly string[] | null): string;
}

/** Cells of a matrix of nodes and classes, which is held as a whole */
const mostCells = 2 ** 26;

/** A number for each node, or a row of zeros and ones; what else is called so is left out with a note. */
export async function labelsOf(arrays: NamedArrays, notes: string[]): Promise<NodeLabels | null> {
  const name = labelNames.find((one) => arrays.names.includes(one));
  if (name === undefined) return null;
  const array = await arrays.open(name).catch(nullWhenNoNumbers);
  if (array && array.shape.slice(1).every((size) => size === 1)) return oneEach(await wholeOf(array));
  const rows = array && array.shape.length === 2 && array.length <= mostCells ? await rowsOf(array) : null;
  const found = rows && ofRows(rows);
  if (found) return found;
  const what = array ? `has the shape ${array.shapeText}` : "holds no numbers";
  const expected = "expected one number for each node, or zeros and ones of each class";
  notes.push(`the array ${name} is left out: it ${what}, ${expected}.`);
  return null;
}

/** Texts and Python objects */
function nullWhenNoNumbers(error: unknown): null {
  if (error instanceof GnnError && error.message.includes("numpy type")) return null;
  throw error;
}

function oneEach(values: Float64Array): NodeLabels {
  return {
    length: values.length,
    classes: values,
    textOf: (node, names) => labelText(values[node]!, names),
  };
}

interface Rows {
  readonly numNodes: number;
  readonly numClasses: number;
  readonly valueOf: (node: number, column: number) => number;
}

/** A matrix with a row for each node, in whichever order it lies there. */
async function rowsOf(array: NpyMember): Promise<Rows> {
  const [outer = 0, inner = 0] = array.shape;
  const values = await wholeOf(array);
  return array.isTransposed
    ? { numNodes: inner, numClasses: outer, valueOf: (node, column) => values[column * inner + node]! }
    : { numNodes: outer, numClasses: inner, valueOf: (node, column) => values[node * inner + column]! };
}

/** null: its numbers are others than zeros and ones, and no classes */
function ofRows({ numNodes, numClasses, valueOf }: Rows): NodeLabels | null {
  const ofNode: number[][] = [];
  for (let node = 0; node < numNodes; node++) {
    const classes: number[] = [];
    for (let column = 0; column < numClasses; column++) {
      const value = valueOf(node, column);
      if (value === 1) classes.push(column);
      else if (value !== 0) return null;
    }
    ofNode.push(classes);
  }
  return {
    length: numNodes,
    classes: Float64Array.from({ length: numClasses }, (_, column) => column),
    textOf: (node, names) => ofNode[node]!.map((column) => labelText(column, names)).join("|"),
  };
}

function labelText(label: number, names: readonly string[] | null): string {
  if (Number.isNaN(label)) return "";
  return names ? asField(names[label]!) : String(label);
}
