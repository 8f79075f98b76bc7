import type { CscGraph } from "../../graph/csc-graph.ts";
import { heldInDegrees } from "../../sampling/with-degrees.ts";
import type { NewEdges } from "./new-edges.ts";

/** In-edges of a node along which messages come */
export interface InEdges {
  readonly src: Int32Array;
  readonly weights: Float32Array | null;
  /** Relation of each, ascending; null: messages are all alike */
  readonly types: Int32Array | null;
}

/**
 * A stored graph with new nodes behind its own, and their edges, which change whom known nodes hear from. The stored
 * graph stays as it is; what is new lies beside it.
 */
export class GrownGraph {
  readonly numKnown: number;
  readonly #stored: CscGraph;
  readonly #added: ReadonlyMap<number, InEdges>;

  private constructor(stored: CscGraph, added: ReadonlyMap<number, InEdges>) {
    this.numKnown = stored.numNodes;
    this.#stored = stored;
    this.#added = added;
  }

  /**
   * @param stored of one part, along whose edges messages go
   * @param edges as they would be stored, with types where `graph` has relations
   * @param relations of the graph that is stored; left out: its edges are all alike
   * @param messagesOf the graph along whose edges messages go, as it made `stored` of what is stored: it looks at each
   * edge alone, so that the messages of new edges can be told without the others
   */
  static async open(
    stored: CscGraph,
    edges: NewEdges,
    messagesOf: (graph: CscGraph) => Promise<CscGraph>,
    relations?: readonly string[],
  ): Promise<GrownGraph> {
    const nodes = [...new Set([...edges.src, ...edges.dst])].toSorted((a, b) => a - b);
    const added = new Map<number, InEdges>();
    if (nodes.length > 0) {
      const messages = await messagesOf(graphOfNew(edges, nodes, relations));
      for (const [row, node] of nodes.entries()) {
        const { src, ...held } = columnOf(messages, row);
        added.set(node, { src: src.map((r) => nodes[r] as number), ...held });
      }
    }
    return new GrownGraph(stored, added);
  }

  /** Whether messages are of several relations, and told apart by these */
  get tellsTypes(): boolean {
    return this.#stored.parts[0]?.types != null;
  }

  /** How many in-edges a node has */
  numInEdges(node: number): number {
    const { begin, end } = node < this.numKnown ? rangeOf(this.#stored, node) : { begin: 0, end: 0 };
    return end - begin + (this.#added.get(node)?.src.length ?? 0);
  }

  /**
   * Sorted by relation. Stored ones of each come first, as they would after an ingest: new nodes have the highest
   * numbers.
   */
  inEdges(node: number): readonly InEdges[] {
    const added = this.#added.get(node);
    const stored = node < this.numKnown ? columnOf(this.#stored, node) : null;
    if (!added || !stored) return [added ?? stored].filter((edges) => edges !== null && edges !== undefined);
    return stored.types && added.types ? merged(stored, added) : [stored, added];
  }

  /** In-degrees: the sum of the weights of in-edges, without weights how many there are. */
  async inDegrees(nodes: Int32Array): Promise<Float32Array> {
    const known = nodes.map((node) => (node < this.numKnown ? node : -1)).filter((node) => node >= 0);
    const stored = await heldInDegrees(this.#stored, known);
    let next = 0;
    return Float32Array.from(nodes, (node) => {
      const sum = node < this.numKnown ? (stored[next++] as number) : 0;
      const added = this.#added.get(node);
      return sum + (added ? degreeOf(added) : 0);
    });
  }
}

/** The new edges as a graph of their own, whose nodes are their ends in the order of `nodes` */
function graphOfNew(
  { src, dst, weights, types }: NewEdges,
  nodes: readonly number[],
  relations: readonly string[] | undefined,
): CscGraph {
  const rows = new Map(nodes.map((node, row) => [node, row]));
  const ends = Array.from(src, (from, edge) => ({
    edge,
    src: rows.get(from) as number,
    dst: rows.get(dst[edge] as number) as number,
    type: relations ? (types[edge] as number) : 0,
  }));
  const sorted = ends.toSorted((a, b) => a.dst - b.dst || a.type - b.type || a.src - b.src || a.edge - b.edge);
  const indptr = new BigInt64Array(nodes.length + 1);
  for (const { dst: row } of sorted) indptr[row + 1] = (indptr[row + 1] as bigint) + 1n;
  for (let row = 0; row < nodes.length; row++) indptr[row + 1] = (indptr[row + 1] as bigint) + (indptr[row] as bigint);
  const part = {
    firstNode: 0,
    numNodes: nodes.length,
    indptr,
    indices: Int32Array.from(sorted, (edge) => edge.src),
    weights: weights && Float32Array.from(sorted, ({ edge }) => weights[edge] as number),
    ...(relations && { types: Int32Array.from(sorted, ({ type }) => type) }),
  };
  const counts = { numNodes: nodes.length, numEdges: sorted.length };
  return { device: "cpu", ...counts, parts: [part], ...(relations && { relations }) };
}

/** Runs of one relation, of the one list and the other in turns */
function merged(stored: InEdges, added: InEdges): readonly InEdges[] {
  const runs = [...runsOf(stored), ...runsOf(added)];
  return runs.toSorted((a, b) => (a.types?.[0] ?? 0) - (b.types?.[0] ?? 0));
}

function runsOf({ src, weights, types }: InEdges): InEdges[] {
  const runs: InEdges[] = [];
  if (!types) return runs;
  let begin = 0;
  for (let end = 1; end <= types.length; end++) {
    if (types[end] === types[begin]) continue;
    const cut = { weights: weights?.subarray(begin, end) ?? null, types: types.subarray(begin, end) };
    runs.push({ src: src.subarray(begin, end), ...cut });
    begin = end;
  }
  return runs;
}

function degreeOf({ src, weights }: InEdges): number {
  if (!weights) return src.length;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] as number;
  return sum;
}

function columnOf(graph: CscGraph, node: number): InEdges {
  const { begin, end } = rangeOf(graph, node);
  const { indices, weights, types } = graph.parts[0] as CscGraph["parts"][number];
  return {
    src: indices.subarray(begin, end),
    weights: weights?.subarray(begin, end) ?? null,
    types: types?.subarray(begin, end) ?? null,
  };
}

function rangeOf({ parts }: CscGraph, node: number): { readonly begin: number; readonly end: number } {
  const { indptr } = parts[0] as CscGraph["parts"][number];
  return { begin: Number(indptr[node]), end: Number(indptr[node + 1]) };
}
