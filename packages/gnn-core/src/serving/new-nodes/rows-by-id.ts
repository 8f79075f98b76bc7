import { GnnError } from "../../errors/gnn-error.ts";
import { type NewNode, placeOf, shown } from "./new-node.ts";
import { type TypesOfNodes, typeOfNode } from "./types-of-nodes.ts";

/** The nodes of a stored graph, by the user's ids */
export interface KnownRows {
  /** New nodes come behind them, in the order of their list. */
  readonly numNodes: number;
  /** NodeIndex of an id, −1: the graph has none such */
  readonly rowOf: (id: string) => number;
  readonly types: TypesOfNodes;
  /** Type of a node, an index into the names of types; left out or −1: it is not known */
  readonly typeAt?: ((row: number) => number) | undefined;
}

/** Rows of new nodes and of known ones, by ids that are those of the dataset's files. */
export class RowsById {
  /** Type of each new node: `typeOfNode` */
  readonly types: Int32Array;
  readonly #known: KnownRows;
  readonly #rows = new Map<string, number>();

  /** @throws GnnError NODE_EXISTS; SPEC_INVALID of a type that the graph lacks */
  constructor(nodes: readonly NewNode[], known: KnownRows) {
    this.#known = known;
    this.types = Int32Array.from(nodes, (node, at) => typeOfNode(node, at, known.types));
    for (const [at, { id }] of nodes.entries()) {
      const type = this.#tableOf(this.types[at] as number);
      if (this.#knownRow(id, type) >= 0) {
        const message = `The graph has a node ${shown(id)} already; ask for it by ids, or give the new node another id.`;
        throw new GnnError("NODE_EXISTS", message, { place: placeOf(at, "id") });
      }
      const key = keyOf(id, type);
      if (this.#rows.has(key)) {
        const message = `The new node ${shown(id)} is there a second time; give each an id of its own.`;
        throw new GnnError("NODE_EXISTS", message, { place: placeOf(at, "id") });
      }
      this.#rows.set(key, this.rowAt(at));
    }
  }

  /** Row of the new node at a position of their list */
  rowAt(at: number): number {
    return this.#known.numNodes + at;
  }

  /** Name of its type; null: nodes have none, or it is not known */
  typeAt(at: number): string | null {
    return this.#known.types.names[this.types[at] as number] ?? null;
  }

  /** Row of a new node or a known one, −1: there is none such. @param type in which the id is; null: in any */
  rowOf(id: string, type: string | null): number {
    const table = this.#known.types.haveTables ? type : null;
    const fresh = this.#rows.get(keyOf(id, table));
    return fresh ?? this.#knownRow(id, table);
  }

  /** Another type that has a node of this id */
  otherTypeOf(id: string, type: string): string | null {
    const { names } = this.#known.types;
    return names.find((name) => name !== type && this.rowOf(id, name) >= 0) ?? null;
  }

  #tableOf(type: number): string | null {
    const { haveTables, names } = this.#known.types;
    return haveTables ? (names[type] as string) : null;
  }

  /** Where ids of the graph have their type before them, they may be given as in the files or as answers have them. */
  #knownRow(id: string, type: string | null): number {
    const { rowOf, types, typeAt } = this.#known;
    if (type === null) return rowOf(id);
    const isOfType = (row: number) => row >= 0 && types.names[typeAt?.(row) ?? -1] === type;
    const ids = types.areInIds ? [`${type}/${id}`, id] : [id];
    return ids.map(rowOf).find(isOfType) ?? -1;
  }
}

function keyOf(id: string, type: string | null): string {
  return type === null ? id : `${type}/${id}`;
}
