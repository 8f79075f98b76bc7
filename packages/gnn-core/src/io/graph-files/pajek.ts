import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphFacts, GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { numberedLines } from "./numbered-lines.ts";

type Section = "vertices" | "arcs" | "edges" | "arcslist" | "edgeslist" | "matrix" | "network";

interface Line {
  readonly number: number;
  readonly fields: readonly string[];
}

/** More vertices than lines may be said to be there; each costs a row. */
const maxUnlisted = 10_000_000;

/**
 * Pajek's networks: `*Vertices n` with numbers and names, then `*Arcs`, which have a direction, and `*Edges`, which
 * have none, each with a weight, `*Arcslist` and `*Edgeslist`, whose lines list neighbours, or `*Matrix` with the
 * weights from each vertex to all. A vertex without a line is there all the same. `*Vertices n m` says that the first m
 * are of one kind and the others of another. Where a vertex is drawn is no attribute of it.
 *
 * Batagelj and Mrvar, Pajek's reference manual
 */
export const parsePajek: GraphParser = async function* (text, file, facts) {
  facts.edgeDefaults.set("weight", "1");
  const network = new PajekNetwork(file, facts);
  for await (const { number, text: line } of numberedLines(text)) {
    const content = line.trim();
    if (content === "" || content.startsWith("%")) continue;
    const fields = [...content.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
    if (content.startsWith("*")) network.begin({ number, fields });
    else yield* network.record({ number, fields });
  }
  yield* network.end();
  facts.directed = network.hasArcs ? true : facts.directed;
};

class PajekNetwork {
  hasArcs = false;
  readonly #file: string;
  readonly #listed = new Set<number>();
  #numVertices = 0;
  #verticesLine = 0;
  #section: Section | null = null;
  #relation: string | null = null;
  /** How many vertices are of the first of two kinds; null: all are of one. */
  #numFirst: number | null = null;
  /** Rows of the matrix that were read */
  #numMatrixRows = 0;
  readonly #facts: GraphFacts;

  constructor(file: string, facts: GraphFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  begin({ number, fields }: Line): void {
    const section = fields[0]!.slice(1).toLowerCase();
    if (!isSection(section))
      throw damagedGraphFile(
        this.#file,
        number,
        `"${fields[0]}" is no part of a network; expected *Vertices, *Arcs, *Edges or *Matrix. Write what else is said of vertices as a table of nodes.`,
      );
    this.#section = section;
    this.#relation = relationOf(fields);
    if (section !== "vertices") return;
    if (this.#verticesLine > 0)
      throw damagedGraphFile(this.#file, number, "a second network begins here; write each to a file.");
    this.#numVertices = this.#wholeNumber(fields[1], number);
    this.#verticesLine = number;
    if (fields[2] === undefined) return;
    this.#numFirst = this.#wholeNumber(fields[2], number);
    if (this.#numFirst > this.#numVertices)
      throw damagedGraphFile(this.#file, number, `${this.#numFirst} of ${this.#numVertices} vertices are of one kind.`);
  }

  *record(line: Line): Iterable<GraphRecord> {
    if (this.#section === null)
      throw damagedGraphFile(this.#file, line.number, "expected *Vertices before the first row.");
    if (this.#section === "network") return;
    if (this.#section === "vertices") yield this.#vertex(line);
    else if (this.#section === "matrix") yield* this.#matrixRow(line);
    else if (this.#section.endsWith("list")) yield* this.#neighbours(line);
    else yield this.#edge(line);
  }

  /** Vertices without a line. */
  *end(): Iterable<GraphRecord> {
    const numRows = this.#numFirst ?? this.#numVertices;
    if (this.#section === "matrix" && this.#numMatrixRows < numRows)
      throw damagedGraphFile(this.#file, this.#verticesLine, `expected ${numRows} rows below *Matrix.`);
    if (this.#numVertices - this.#listed.size > maxUnlisted)
      throw damagedGraphFile(
        this.#file,
        this.#verticesLine,
        `${this.#numVertices} vertices are said to be here, of which ${this.#listed.size} have a line; list each.`,
      );
    for (let id = 1; id <= this.#numVertices; id++)
      if (!this.#listed.has(id)) yield graphRecord("nodes", this.#verticesLine, [String(id)], this.#kindOf(id));
  }

  #vertex({ number, fields }: Line): GraphRecord {
    const id = this.#vertexOf(fields[0], number);
    if (this.#listed.has(id)) throw damagedGraphFile(this.#file, number, `vertex ${id} has a line already.`);
    this.#listed.add(id);
    const name = fields[1];
    return graphRecord(
      "nodes",
      number,
      [String(id)],
      [...(name === undefined ? [] : [["name", name] as const]), ...this.#kindOf(id)],
    );
  }

  #kindOf(id: number): [string, string][] {
    return this.#numFirst === null ? [] : [["type", id <= this.#numFirst ? "first" : "second"]];
  }

  /** The weights from one vertex to all, or in a network of two kinds to those of the second */
  *#matrixRow({ number, fields }: Line): Iterable<GraphRecord> {
    const skipped = this.#numFirst ?? 0;
    const source = ++this.#numMatrixRows;
    const expected = this.#numVertices - skipped;
    if (source > (this.#numFirst ?? this.#numVertices) || fields.length !== expected)
      throw damagedGraphFile(
        this.#file,
        number,
        `row ${source} of the matrix has ${fields.length} weights; expected ${expected} in each of ${this.#numFirst ?? this.#numVertices} rows.`,
      );
    for (const [i, weight] of fields.entries()) {
      if (!Number.isFinite(Number(weight)))
        throw damagedGraphFile(this.#file, number, `found "${weight.slice(0, 40)}", expected a weight.`);
      if (Number(weight) !== 0) yield this.#between(number, [String(source), String(skipped + i + 1)], weight);
    }
  }

  #edge({ number, fields: [source, target, weight, ...more] }: Line): GraphRecord {
    if (more.some((field) => field.startsWith("[")))
      this.#facts.notes.add("when an edge is there ([5-7]) is left out; all edges are read.");
    const ends = [source, target].map((end) => String(this.#vertexOf(end, number)));
    return this.#between(number, ends, weight);
  }

  *#neighbours({ number, fields }: Line): Iterable<GraphRecord> {
    const [source, ...targets] = fields.map((end) => String(this.#vertexOf(end, number)));
    for (const target of targets) yield this.#between(number, [source!, target], undefined);
  }

  #between(number: number, ends: readonly string[], weight: string | undefined): GraphRecord {
    const isArc =
      this.#section === "arcs" ||
      this.#section === "arcslist" ||
      (this.#section === "matrix" && this.#numFirst === null);
    this.hasArcs ||= isArc;
    const values: [string, string][] = [];
    if (weight !== undefined) values.push(["weight", weight]);
    if (this.#relation !== null) values.push(["type", this.#relation]);
    return graphRecord("edges", number, ends, values, isArc);
  }

  #vertexOf(text: string | undefined, line: number): number {
    const id = this.#wholeNumber(text, line);
    if (id >= 1 && id <= this.#numVertices) return id;
    throw damagedGraphFile(this.#file, line, `vertex ${id} is not among the ${this.#numVertices} of *Vertices.`);
  }

  #wholeNumber(text: string | undefined, line: number): number {
    if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
    throw damagedGraphFile(this.#file, line, `found "${text ?? ""}", expected the number of a vertex.`);
  }
}

function isSection(name: string): name is Section {
  return ["vertices", "arcs", "edges", "arcslist", "edgeslist", "matrix", "network"].includes(name);
}

/** `*Arcs :2 "is friend of"`: the name of the relation, or its number. */
function relationOf([, number, name]: readonly string[]): string | null {
  return number?.startsWith(":") ? (name ?? number.slice(1)) : null;
}
