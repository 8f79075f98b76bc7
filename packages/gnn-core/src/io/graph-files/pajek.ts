import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";

type Section = "vertices" | "arcs" | "edges" | "arcslist" | "edgeslist" | "network";

interface Line {
  readonly number: number;
  readonly fields: readonly string[];
}

/** More vertices than lines may be said to be there; each costs a row. */
const maxUnlisted = 10_000_000;

/**
 * Pajek's networks: `*Vertices n` with numbers and names, then `*Arcs`, which have a direction, and `*Edges`, which
 * have none, each with a weight, or `*Arcslist` and `*Edgeslist`, whose lines list neighbours. A vertex without a line
 * is there all the same. Where a vertex is drawn is no attribute of it.
 *
 * Batagelj and Mrvar, Pajek's reference manual
 */
export const parsePajek: GraphParser = async function* (text, file, facts) {
  facts.edgeDefaults.set("weight", "1");
  const network = new PajekNetwork(file);
  let number = 0;
  for await (const line of createInterface({ input: Readable.from(text), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
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

  constructor(file: string) {
    this.#file = file;
  }

  begin({ number, fields }: Line): void {
    const section = fields[0]!.slice(1).toLowerCase();
    if (!isSection(section))
      throw damagedGraphFile(
        this.#file,
        number,
        `"${fields[0]}" is no part of a network; expected *Vertices, *Arcs or *Edges.`,
      );
    this.#section = section;
    this.#relation = relationOf(fields);
    if (section !== "vertices") return;
    if (this.#verticesLine > 0)
      throw damagedGraphFile(this.#file, number, "a second network begins here; write each to a file.");
    this.#numVertices = this.#wholeNumber(fields[1], number);
    this.#verticesLine = number;
  }

  *record(line: Line): Iterable<GraphRecord> {
    if (this.#section === null)
      throw damagedGraphFile(this.#file, line.number, "expected *Vertices before the first row.");
    if (this.#section === "network") return;
    if (this.#section === "vertices") yield this.#vertex(line);
    else if (this.#section.endsWith("list")) yield* this.#neighbours(line);
    else yield this.#edge(line);
  }

  /** Vertices without a line. */
  *end(): Iterable<GraphRecord> {
    if (this.#numVertices - this.#listed.size > maxUnlisted)
      throw damagedGraphFile(
        this.#file,
        this.#verticesLine,
        `${this.#numVertices} vertices are said to be here, of which ${this.#listed.size} have a line; list each.`,
      );
    for (let id = 1; id <= this.#numVertices; id++)
      if (!this.#listed.has(id)) yield graphRecord("nodes", this.#verticesLine, [String(id)], []);
  }

  #vertex({ number, fields }: Line): GraphRecord {
    const id = this.#vertexOf(fields[0], number);
    if (this.#listed.has(id)) throw damagedGraphFile(this.#file, number, `vertex ${id} has a line already.`);
    this.#listed.add(id);
    const name = fields[1];
    return graphRecord("nodes", number, [String(id)], name === undefined ? [] : [["name", name]]);
  }

  #edge({ number, fields: [source, target, weight] }: Line): GraphRecord {
    const ends = [source, target].map((end) => String(this.#vertexOf(end, number)));
    return this.#between(number, ends, weight);
  }

  *#neighbours({ number, fields }: Line): Iterable<GraphRecord> {
    const [source, ...targets] = fields.map((end) => String(this.#vertexOf(end, number)));
    for (const target of targets) yield this.#between(number, [source!, target], undefined);
  }

  #between(number: number, ends: readonly string[], weight: string | undefined): GraphRecord {
    const isArc = this.#section === "arcs" || this.#section === "arcslist";
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
  return ["vertices", "arcs", "edges", "arcslist", "edgeslist", "network"].includes(name);
}

/** `*Arcs :2 "is friend of"`: the name of the relation, or its number. */
function relationOf([, number, name]: readonly string[]): string | null {
  return number?.startsWith(":") ? (name ?? number.slice(1)) : null;
}
