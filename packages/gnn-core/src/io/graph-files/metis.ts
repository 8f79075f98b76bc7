import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { type NumberedLine, numberedLines } from "./numbered-lines.ts";

/** What the first line of a METIS graph says. */
export interface MetisHead {
  readonly numNodes: number;
  readonly numEdges: number;
  readonly hasSizes: boolean;
  /** Weights of a node */
  readonly numWeights: number;
  readonly hasEdgeWeights: boolean;
}

/** Null: the line is none such. */
export function metisHead(line: string): MetisHead | null {
  const found = /^\s*(\d{1,15})\s+(\d{1,15})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?\s*$/.exec(line);
  if (!found) return null;
  const [sizes, weights, edgeWeights] = (found[3] ?? "").padStart(3, "0");
  return {
    numNodes: Number(found[1]),
    numEdges: Number(found[2]),
    hasSizes: sizes === "1",
    numWeights: weights === "1" ? Number(found[4] ?? 1) : 0,
    hasEdgeWeights: edgeWeights === "1",
  };
}

/**
 * Graphs as METIS takes them: the numbers of nodes and edges, then a line for each node, its neighbours on it, counted
 * from 1, with weights where the first line says so. Each edge stands on the lines of both its ends and is read once; a
 * blank line is a node without neighbours.
 *
 * Karypis, METIS 5.1.0 manual, section 4.1.1
 */
export const parseMetis: GraphParser = async function* (text, file, facts) {
  facts.directed = false;
  let graph: MetisGraph | null = null;
  for await (const line of numberedLines(text)) {
    if (line.text.startsWith("%")) continue;
    if (graph) yield* graph.node(line);
    else if (line.text.trim() !== "") graph = new MetisGraph(file, line);
  }
  graph?.end();
};

class MetisGraph {
  readonly #file: string;
  readonly #head: MetisHead;
  readonly #line: number;
  #numNodes = 0;
  /** Entries that name a later node and those that name an earlier one: as many, since edges stand on both lines */
  #forward = 0;
  #back = 0;

  constructor(file: string, { number, text }: NumberedLine) {
    const head = metisHead(text);
    const expected = "the numbers of nodes and of edges, and of what kind its weights are";
    if (!head) throw damagedGraphFile(file, number, `found "${text.trim().slice(0, 60)}", expected ${expected}.`);
    this.#file = file;
    this.#head = head;
    this.#line = number;
  }

  *node({ number, text }: NumberedLine): Iterable<GraphRecord> {
    const fields = text.trim() === "" ? [] : text.trim().split(/\s+/);
    const { numNodes, hasSizes, numWeights, hasEdgeWeights } = this.#head;
    if (this.#numNodes === numNodes) {
      if (fields.length === 0) return;
      throw damagedGraphFile(this.#file, number, `a line follows those of all ${numNodes} nodes.`);
    }
    const id = ++this.#numNodes;
    const own = (hasSizes ? 1 : 0) + numWeights;
    const values = fields.slice(0, own).map((value, i): [string, string] => [this.#nameOf(i), value]);
    if (values.length < own || fields.some((field) => !/^\d{1,15}$/.test(field)))
      throw damagedGraphFile(this.#file, number, `expected ${own} whole numbers of node ${id}, then its neighbours.`);
    yield graphRecord("nodes", number, [String(id)], values);
    const step = hasEdgeWeights ? 2 : 1;
    if ((fields.length - own) % step !== 0)
      throw damagedGraphFile(this.#file, number, "expected a weight behind each neighbour.");
    for (let at = own; at < fields.length; at += step) {
      const neighbour = Number(fields[at]);
      if (neighbour < 1 || neighbour > numNodes || neighbour === id)
        throw damagedGraphFile(
          this.#file,
          number,
          `node ${id} has the neighbour ${fields[at]}; expected another number from 1 to ${numNodes}.`,
        );
      if (neighbour < id) this.#back++;
      else {
        this.#forward++;
        const weight: [string, string][] = hasEdgeWeights ? [["weight", fields[at + 1]!]] : [];
        yield graphRecord("edges", number, [String(id), String(neighbour)], weight);
      }
    }
  }

  end(): void {
    const { numNodes, numEdges } = this.#head;
    const found =
      this.#numNodes < numNodes
        ? `${numNodes} nodes are said to be here, and ${this.#numNodes} have a line`
        : this.#forward !== this.#back || this.#forward !== numEdges
          ? `${numEdges} edges are said to be here, and ${this.#forward} lead to a later node, ${this.#back} to an earlier one; expected as many of each`
          : null;
    if (found !== null) throw damagedGraphFile(this.#file, this.#line, `${found}. It may be cut off.`);
  }

  #nameOf(column: number): string {
    const { hasSizes, numWeights } = this.#head;
    if (hasSizes && column === 0) return "size";
    return numWeights === 1 ? "weight" : `weight${column + (hasSizes ? 0 : 1)}`;
  }
}
