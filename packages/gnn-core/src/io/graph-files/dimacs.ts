import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphFacts, GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { type NumberedLine, numberedLines } from "./numbered-lines.ts";

/** Problems whose graph is read: those of paths have arcs, the others edges. */
const problems = new Set(["sp", "edge", "edges", "col", "tw", "ds", "vc", "hs"]);
const maxUnlisted = 10_000_000;

/**
 * Graphs in the forms of DIMACS' challenges and of PACE: comments `c`, a line `p` with the problem, the numbers of
 * nodes and edges, then edges `e 1 2`, arcs with a length `a 1 2 7`, or both ends alone. A line `n 3 5` gives a node a
 * weight.
 *
 * http://dimacs.rutgers.edu/archive/Challenges, https://pacechallenge.org
 */
export const parseDimacs: GraphParser = async function* (text, file, facts) {
  let graph: DimacsGraph | null = null;
  for await (const line of numberedLines(text)) {
    const content = line.text.trim();
    if (content === "" || /^c(\s|$)/.test(content)) continue;
    if (graph) yield* graph.record(line);
    else graph = new DimacsGraph(file, line, facts);
  }
  if (graph) yield* graph.end();
};

class DimacsGraph {
  readonly #file: string;
  readonly #line: number;
  readonly #facts: GraphFacts;
  readonly #numNodes: number;
  readonly #numEdges: number;
  readonly #isOfPaths: boolean;
  readonly #listed = new Set<number>();
  #numRead = 0;

  constructor(file: string, { number, text }: NumberedLine, facts: GraphFacts) {
    const [sign, problem = "", nodes, edges] = text.trim().split(/\s+/);
    const isNumber = (field: string | undefined) => /^\d{1,15}$/.test(field ?? "");
    if (sign !== "p" || !problems.has(problem) || !isNumber(nodes) || !isNumber(edges))
      throw damagedGraphFile(
        file,
        number,
        `found "${text.trim().slice(0, 60)}", expected p with the problem (${[...problems].join(", ")}), the numbers of nodes and of edges.`,
      );
    this.#file = file;
    this.#line = number;
    this.#facts = facts;
    [this.#numNodes, this.#numEdges] = [Number(nodes), Number(edges)];
    this.#isOfPaths = problem === "sp";
    facts.directed = this.#isOfPaths;
    facts.edgeDefaults.set("weight", "1");
  }

  *record({ number, text }: NumberedLine): Iterable<GraphRecord> {
    const fields = text.trim().split(/\s+/);
    const [sign] = fields;
    if (sign === "n") {
      const id = this.#nodeOf(fields[1], number);
      if (this.#listed.has(id)) throw damagedGraphFile(this.#file, number, `node ${id} has a line already.`);
      this.#listed.add(id);
      yield graphRecord("nodes", number, [String(id)], [["weight", fields[2] ?? null]]);
      return;
    }
    if (sign === "e" || sign === "a") fields.shift();
    const [src, dst, weight, ...more] = fields;
    const ends = [src, dst].map((end) => String(this.#nodeOf(end, number)));
    if (more.length > 0 || (weight !== undefined && !Number.isFinite(Number(weight))))
      throw damagedGraphFile(
        this.#file,
        number,
        `found "${text.trim().slice(0, 60)}", expected an edge, such as e 1 2.`,
      );
    this.#numRead++;
    yield graphRecord("edges", number, ends, weight === undefined ? [] : [["weight", weight]]);
  }

  /** Nodes without a line. Some files count each edge once and list it both ways, or the other way round. */
  *end(): Iterable<GraphRecord> {
    const [said, read] = [this.#numEdges, this.#numRead];
    if (read < said && 2 * read !== said)
      throw damagedGraphFile(
        this.#file,
        this.#line,
        `${said} edges are said to be here, and ${read} are: it may be cut off. Fetch it again, or correct this line.`,
      );
    if (read !== said) this.#facts.notes.add(`${said} edges are said to be in it, and ${read} lines list one.`);
    if (this.#numNodes > maxUnlisted + 100 * read)
      throw damagedGraphFile(this.#file, this.#line, `${this.#numNodes} nodes are said to be here, and ${read} edges.`);
    for (let id = 1; id <= this.#numNodes; id++)
      if (!this.#listed.has(id)) yield graphRecord("nodes", this.#line, [String(id)], []);
  }

  #nodeOf(text: string | undefined, line: number): number {
    const id = /^\d{1,15}$/.test(text ?? "") ? Number(text) : 0;
    if (id >= 1 && id <= this.#numNodes) return id;
    throw damagedGraphFile(
      this.#file,
      line,
      `found "${(text ?? "").slice(0, 40)}", expected the number of a node from 1 to ${this.#numNodes}.`,
    );
  }
}
