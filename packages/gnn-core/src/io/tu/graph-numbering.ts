import { GnnError } from "../../errors/gnn-error.ts";

/** Holds DS_graph_indicator.txt to graphs that are numbered 1, 2, 3 … in the order of their nodes. */
export class GraphNumbering {
  readonly #file: string;
  #graph = 0;

  constructor(file: string) {
    this.#file = file;
  }

  get numGraphs(): number {
    return this.#graph;
  }

  /** The graph of the next node. @throws GnnError DATASET_VALUE_INVALID with the line of an id that jumps */
  add(found: number, line: number): void {
    const graph = this.#graph;
    if (found === graph + 1 || (found === graph && graph > 0)) {
      this.#graph = found;
      return;
    }
    const expected = graph === 0 ? [1] : [graph, graph + 1];
    const missing =
      graph === 0
        ? "they begin with 1"
        : found > graph
          ? `graph ${graph + 1} has no node`
          : `it comes behind a node of graph ${graph}`;
    const message =
      `${this.#file}, line ${line}: the graph is ${found} and ids jump: ${missing}; expected ` +
      `${expected.join(" or ")}: nodes sorted by graph, and graphs numbered from 1 without a gap.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: this.#file, line } });
  }
}
