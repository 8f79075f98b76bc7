import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { type NewNode, placeOf } from "./new-node.ts";

/** Edges with a new node at one end at least, as they would be stored; rows by NodeIndex. */
export interface NewEdges {
  readonly src: readonly number[];
  readonly dst: readonly number[];
  /** null: edges of the graph have none */
  readonly weights: readonly number[] | null;
}

/** What of the graph decides how edges are read */
export interface EdgeRules {
  readonly spec: Pick<DatasetSpec, "directed" | "duplicates" | "selfLoops">;
  readonly hasWeights: boolean;
  /** Nodes of the stored graph; new ones come behind them, in the order of their list. */
  readonly numNodes: number;
  /** NodeIndex of an id, −1: the graph has none such */
  readonly rowOf: (id: string) => number;
}

/**
 * The edges of new nodes by the rules of their dataset: undirected ones are stored in both directions and a self-loop
 * once; of repeated ones the first stays, unless all are kept.
 *
 * @throws GnnError NODE_EXISTS, NODE_UNKNOWN, SPEC_INVALID with the place of the node or edge
 */
export function newEdges(nodes: readonly NewNode[], rules: EdgeRules): NewEdges {
  const { spec, hasWeights, numNodes } = rules;
  const rows = newRows(nodes, rules);
  const rowOf = (id: string) => rows.get(id) ?? rules.rowOf(id);
  const seen = new Set<number>();
  const [src, dst, weights]: number[][] = [[], [], []];
  const add = (from: number, to: number, weight: number) => {
    src!.push(from);
    dst!.push(to);
    weights!.push(weight);
  };
  const total = numNodes + nodes.length;
  for (const [at, { id, edges = [] }] of nodes.entries()) {
    const node = rows.get(id) as number;
    for (const [i, edge] of edges.entries()) {
      const other = otherEnd(edge, at, i, rowOf);
      const weight = weightOf(edge.weight, hasWeights, at, i);
      const [from, to] = edge.to === undefined ? [other, node] : [node, other];
      if (from === to && spec.selfLoops === "drop") continue;
      const isTurned = !spec.directed && from > to;
      const pair = isTurned ? to * total + from : from * total + to;
      if (seen.has(pair) && spec.duplicates === "error") throw repeated(at, i);
      if (seen.has(pair) && spec.duplicates === "drop") continue;
      seen.add(pair);
      add(from, to, weight);
      if (!spec.directed && from !== to) add(to, from, weight);
    }
  }
  return { src: src!, dst: dst!, weights: hasWeights ? weights! : null };
}

function newRows(nodes: readonly NewNode[], { numNodes, rowOf }: EdgeRules): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const [at, { id }] of nodes.entries()) {
    const shown = JSON.stringify(id.slice(0, 100));
    if (rowOf(id) >= 0) {
      const message = `The graph has a node ${shown} already; ask for it by ids, or give the new node another id.`;
      throw new GnnError("NODE_EXISTS", message, { place: placeOf(at, "id") });
    }
    if (rows.has(id)) {
      throw new GnnError("NODE_EXISTS", `The new node ${shown} is there a second time; give each an id of its own.`, {
        place: placeOf(at, "id"),
      });
    }
    rows.set(id, numNodes + at);
  }
  return rows;
}

function otherEnd(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  at: number,
  edge: number,
  rowOf: (id: string) => number,
): number {
  const id = from ?? to;
  if (id === undefined || (from !== undefined && to !== undefined)) {
    throw new GnnError("SPEC_INVALID", "An edge names one other end; expected either from or to.", {
      place: placeOf(at, "edges", edge),
    });
  }
  const row = rowOf(id);
  if (row >= 0) return row;
  const message = `Neither the graph nor the request has a node ${JSON.stringify(id.slice(0, 100))}.`;
  throw new GnnError("NODE_UNKNOWN", message, {
    place: placeOf(at, "edges", edge, from === undefined ? "to" : "from"),
  });
}

function weightOf(weight: number | undefined, hasWeights: boolean, at: number, edge: number): number {
  const place = placeOf(at, "edges", edge, "weight");
  if (!hasWeights) {
    if (weight === undefined) return 1;
    throw new GnnError("SPEC_INVALID", "Edges of this graph have no weights; leave the weight out.", { place });
  }
  const value = Math.fround(weight ?? Number.NaN);
  if (Number.isFinite(value)) return value;
  const message = "Edges of this graph have weights; expected a finite number of single precision.";
  throw new GnnError("SPEC_INVALID", message, { place });
}

function repeated(at: number, edge: number): GnnError {
  const message = "This edge is there a second time, and the dataset takes none twice; leave it out.";
  return new GnnError("SPEC_INVALID", message, { place: placeOf(at, "edges", edge) });
}
