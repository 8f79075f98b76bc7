import type { LabelSets } from "../../graph/label-sets.ts";
import { GrowableInt32 } from "./growable.ts";
import { TextCodes } from "./text-codes.ts";

/** Collects the several labels of nodes, in any order of nodes, and numbers the labels as classes at the end. */
export class LabelPairs {
  readonly #nodes = new GrowableInt32();
  readonly #codes = new GrowableInt32();
  readonly #texts = new TextCodes();
  readonly #known = new GrowableInt32();

  /** The node's labels are known, even if it should have none. */
  know(node: number): void {
    this.#known.push(node);
  }

  add(node: number, label: string): void {
    this.#known.push(node);
    this.#nodes.push(node);
    this.#codes.push(this.#texts.codeOf(label));
  }

  /** A class that there is even if no node has it */
  declare(label: string): void {
    this.#texts.codeOf(label);
  }

  /**
   * Sorts by node, then class; a repeated pair counts once.
   *
   * @param firstNode NodeIndex of the first of the nodes that were counted from 0
   */
  finish(
    numNodes: number,
    firstNode = 0,
  ): { readonly sets: LabelSets; readonly classes: string[]; readonly counts: number[] } {
    const { texts: classes, finalCodes } = this.#texts.finish();
    const numClasses = classes.length;
    const nodes = this.#nodes.values;
    const codes = this.#codes.values;
    // Node and class as one number: exact in float64 up to 2^53.
    const keys = Float64Array.from(
      nodes,
      (node, i) => (firstNode + node) * numClasses + (finalCodes[codes[i]!] as number),
    ).toSorted();
    const distinct = keys.filter((key, i) => i === 0 || key !== keys[i - 1]);
    const indptr = new Int32Array(numNodes + 1);
    const counts = classes.map(() => 0);
    const indices = Int32Array.from(distinct, (key) => key % numClasses);
    for (const [i, key] of distinct.entries()) {
      indptr[Math.floor(key / numClasses) + 1]! += 1;
      counts[indices[i]!]! += 1;
    }
    for (let node = 0; node < numNodes; node++) indptr[node + 1]! += indptr[node]!;
    const known = new Int8Array(numNodes);
    for (const node of this.#known.values) known[firstNode + node] = 1;
    return { sets: { numNodes, numClasses, indptr, indices, known }, classes, counts };
  }
}
