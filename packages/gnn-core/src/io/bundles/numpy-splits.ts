import type { NpyMember } from "./npy-member.ts";
import type { NamedArrays } from "./numpy-arrays.ts";
import { ArraysDoNotFit, wholeOf } from "./numpy-edges.ts";

/** What masks of nodes are called; of several splits side by side also with an s. */
export const maskNames = ["train_mask", "val_mask", "test_mask"];

/** The split of each node in words' places: 0 none, 1 train, 2 val, 3 test; several splits where masks hold such. */
export type NodeSplits = readonly Uint8Array[];

/** More splits side by side are no splits. */
const mostSplits = 100;
/** Codes that are held at most, a byte each */
const mostCodes = 2 ** 29;

/**
 * Masks of one split or of several side by side, [nodes, splits] or [splits, nodes]; or `node_types`, as DGL has them.
 */
export async function splitsOf(arrays: NamedArrays, numNodes: number, notes: string[]): Promise<NodeSplits> {
  if (arrays.names.includes("node_types")) return sidesOf(await arrays.open("node_types"), numNodes, notes);
  const names = maskNames.map((name) => [name, `${name}s`].find((one) => arrays.names.includes(one)));
  if (names[0] === undefined) return [];
  const opened: (NpyMember | null)[] = [];
  for (const name of names) opened.push(name === undefined ? null : await arrays.open(name));
  const forms = opened.map((array) => (array ? formOf(array, numNodes) : null));
  const numSplits = Math.max(1, ...forms.map((form) => form?.numSplits ?? 1));
  const codes = Array.from({ length: numSplits }, () => new Uint8Array(numNodes));
  for (const [i, array] of opened.entries()) {
    const [name, form] = [names[i]!, forms[i]];
    if (!array) continue;
    if (!form || (form.numSplits !== 1 && form.numSplits !== numSplits)) {
      notes.push(`the array ${name} is left out: it has the shape ${array.shapeText} for ${numNodes} nodes.`);
    } else await addMask(codes, { array, form, name, code: i + 1 });
  }
  if (numSplits > 1) notes.push(severalWords(numSplits));
  return codes.some((split) => split.some((code) => code > 0)) ? codes : [];
}

/** How the masks lie: element i belongs to the split and the node that these give. */
interface MaskForm {
  readonly numSplits: number;
  readonly isByNode: boolean;
}

/** null: it is no mask of so many nodes */
function formOf({ shape }: NpyMember, numNodes: number): MaskForm | null {
  const [first, second = 1] = shape;
  if (shape.length > 2) return null;
  const isByNode = first === numNodes;
  if (!isByNode && second !== numNodes) return null;
  const numSplits = isByNode ? second : (first as number);
  const fits = numSplits > 0 && numSplits <= mostSplits && numSplits * numNodes <= mostCodes;
  // Nobody can tell which is which where there are as many splits as nodes.
  return fits && !(shape.length === 2 && first === second && numSplits > 1) ? { numSplits, isByNode } : null;
}

interface Mask {
  readonly array: NpyMember;
  readonly form: MaskForm;
  readonly name: string;
  readonly code: number;
}

/** A mask of one split is that of all. @throws ArraysDoNotFit for a node in two masks of a split */
async function addMask(codes: NodeSplits, { array, form: { numSplits, isByNode }, name, code }: Mask): Promise<void> {
  const numNodes = codes[0]!.length;
  const mark = (split: number, node: number) => {
    const ofSplit = codes[split]!;
    if (ofSplit[node] !== 0) throw new ArraysDoNotFit(`node ${node} is in ${name} and in another mask`);
    ofSplit[node] = code;
  };
  let at = 0;
  for await (const piece of array.pieces(0, array.length)) {
    for (let i = 0; i < piece.length; i++, at++) {
      if (piece[i] === 0) continue;
      const node = isByNode ? Math.floor(at / numSplits) : at % numNodes;
      if (numSplits === codes.length) mark(isByNode ? at % numSplits : Math.floor(at / numNodes), node);
      else for (const split of codes.keys()) mark(split, node);
    }
  }
}

/** 0 = none, 1 = train, 2 = val, 3 = test; what has other numbers is about something else. */
async function sidesOf(array: NpyMember, numNodes: number, notes: string[]): Promise<NodeSplits> {
  const sides = array.length === numNodes ? await wholeOf(array) : null;
  if (sides?.every((side) => Number.isInteger(side) && side >= 0 && side <= 3)) return [Uint8Array.from(sides)];
  notes.push("the array node_types is left out: expected 1 for train, 2 for val or 3 for test of each node, or 0.");
  return [];
}

/** The column of a split in the table of nodes: the first is called as splits are. */
export function columnOfSplit(split: number): string {
  return split === 0 ? "split" : `split_${split}`;
}

function severalWords(numSplits: number): string {
  const [second, last] = [columnOfSplit(1), columnOfSplit(numSplits - 1)];
  const others = numSplits === 2 ? `the other one is ${second}` : `the others are ${second} to ${last}`;
  return `the masks hold ${numSplits} splits side by side: the first is the column split, ${others}. To learn by another, choose it as nodes.split.`;
}
