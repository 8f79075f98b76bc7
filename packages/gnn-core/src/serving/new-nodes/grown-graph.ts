import type { CscGraph } from "../../graph/csc-graph.ts";
import { graphFromEdges } from "../../graph/graph-from-edges.ts";
import { heldInDegrees } from "../../sampling/with-degrees.ts";
import type { NewEdges } from "./new-edges.ts";

/** In-edges of a node along which messages come */
export interface InEdges {
  readonly src: ArrayLike<number>;
  readonly weights: ArrayLike<number> | null;
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
   * @param edges as they would be stored
   * @param messagesOf the graph along whose edges messages go, as it made `stored` of what is stored: it looks at each
   * edge alone, so that the messages of new edges can be told without the others
   */
  static async open(
    stored: CscGraph,
    { src, dst, weights }: NewEdges,
    messagesOf: (graph: CscGraph) => Promise<CscGraph>,
  ): Promise<GrownGraph> {
    const nodes = [...new Set([...src, ...dst])].toSorted((a, b) => a - b);
    const rows = new Map(nodes.map((node, row) => [node, row]));
    const rowsOf = (ends: readonly number[]) => Int32Array.from(ends, (node) => rows.get(node) as number);
    const ends = { src: rowsOf(src), dst: rowsOf(dst), numNodes: nodes.length, duplicates: "keep" } as const;
    const added = new Map<number, InEdges>();
    if (src.length > 0) {
      const messages = await messagesOf(await graphFromEdges(weights ? { ...ends, weights } : ends));
      for (const [row, node] of nodes.entries()) {
        const { src: from, weights: held } = columnOf(messages, row);
        added.set(node, { src: Array.from(from, (r) => nodes[r] as number), weights: held });
      }
    }
    return new GrownGraph(stored, added);
  }

  /** How many in-edges a node has */
  numInEdges(node: number): number {
    const { begin, end } = node < this.numKnown ? rangeOf(this.#stored, node) : { begin: 0, end: 0 };
    return end - begin + (this.#added.get(node)?.src.length ?? 0);
  }

  /** Stored ones come first, as they would after an ingest: new nodes have the highest numbers. */
  inEdges(node: number): readonly InEdges[] {
    const added = this.#added.get(node);
    const stored = node < this.numKnown ? [columnOf(this.#stored, node)] : [];
    return added ? [...stored, added] : stored;
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

function degreeOf({ src, weights }: InEdges): number {
  if (!weights) return src.length;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i] as number;
  return sum;
}

function columnOf(graph: CscGraph, node: number): InEdges {
  const { begin, end } = rangeOf(graph, node);
  const { indices, weights } = graph.parts[0] as CscGraph["parts"][number];
  return { src: indices.subarray(begin, end), weights: weights?.subarray(begin, end) ?? null };
}

function rangeOf({ parts }: CscGraph, node: number): { readonly begin: number; readonly end: number } {
  const { indptr } = parts[0] as CscGraph["parts"][number];
  return { begin: Number(indptr[node]), end: Number(indptr[node + 1]) };
}
