import type { NodeTypes } from "../graph/csc-graph.ts";
import { withUnknownType } from "../graph/unknown-type.ts";

/**
 * The nodes by their type, where a graph has several types: an end of a link is told apart from nodes of its own type
 * alone. Nodes whose type is not known are of one more. Memory: 12 bytes per node.
 *
 *   codes 1, 0, 1: nodesOf(0) = [1], nodesOf(1) = [0, 2], placeOf(2) = 1
 */
export class NodeGroups {
  /** Names of the types, by their codes */
  readonly names: readonly string[];
  readonly #types: Int32Array;
  readonly #offsets: Int32Array;
  readonly #members: Int32Array;
  readonly #places: Int32Array;

  private constructor(types: Int32Array, names: readonly string[]) {
    this.names = names;
    this.#types = types;
    this.#offsets = new Int32Array(names.length + 1);
    for (const type of types) this.#offsets[type + 1]! += 1;
    for (let type = 0; type < names.length; type++) this.#offsets[type + 1]! += this.#offsets[type]!;
    this.#members = new Int32Array(types.length);
    this.#places = new Int32Array(types.length);
    const next = this.#offsets.slice();
    for (const [node, type] of types.entries()) {
      this.#places[node] = next[type]! - this.#offsets[type]!;
      this.#members[next[type]!++] = node;
    }
  }

  /**
   * @param codes int32 [numNodes], the type of each node, an index into `names`; -1: not known
   * @returns null where all nodes are of one type: then there is nothing to tell apart
   */
  static of({ codes, names }: Pick<NodeTypes, "codes" | "names">): NodeGroups | null {
    if (codes.every((code) => code === codes[0])) return null;
    const types = withUnknownType({ names, codes });
    return new NodeGroups(types.codes, types.names);
  }

  /** All nodes, as one type. */
  static single(numNodes: number, name: string): NodeGroups {
    return new NodeGroups(new Int32Array(numNodes), [name]);
  }

  get numTypes(): number {
    return this.names.length;
  }

  /** The type of every node, int32 [numNodes]; a view */
  get types(): Int32Array {
    return this.#types;
  }

  typeOf(node: number): number {
    return this.#types[node] as number;
  }

  /** Nodes of a type, ascending; a view. */
  nodesOf(type: number): Int32Array {
    return this.#members.subarray(this.#offsets[type], this.#offsets[type + 1]);
  }

  /** Where the node stands among those of its type. */
  placeOf(node: number): number {
    return this.#places[node] as number;
  }
}
