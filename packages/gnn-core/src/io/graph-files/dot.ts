import { GnnError } from "../../errors/gnn-error.ts";
import { damagedGraphFile } from "./damaged-graph-file.ts";
import { type DotToken, dotTokens } from "./dot-tokens.ts";
import type { GraphFacts, GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";

type Attributes = Map<string, string>;

/** Deeper ones nobody draws. */
const deepest = 100;
/** A statement may refer to all that is around it, so that the text is held whole. */
const mostCharacters = 2 ** 27;

/**
 * Graphs in DOT, as Graphviz has it: nodes and edges with their attributes, chains of edges, and subgraphs, whose nodes
 * and edges are those of the graph. What is set for all that follows (`node […]`, `edge […]`) and ports are not read.
 *
 * https://graphviz.org/doc/info/lang.html
 */
export const parseDot: GraphParser = async function* (text, file, facts) {
  const whole = (await wholeText(text, file)).replace(/^\ufeff/, "");
  yield* new DotGraph(dotTokens(whole, file), file, facts).records();
};

async function wholeText(text: AsyncIterable<string>, file: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of text) {
    pieces.push(piece);
    length += piece.length;
    if (length <= mostCharacters) continue;
    const message = `${file} has more than ${mostCharacters} characters, and DOT is read as a whole. Write its edges as CSV, or the graph as GraphML.`;
    throw new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file } });
  }
  return pieces.join("");
}

class DotGraph {
  readonly #tokens: Iterator<DotToken, void, undefined>;
  readonly #file: string;
  readonly #facts: GraphFacts;
  /** By id, with the line that names it first */
  readonly #nodes = new Map<string, { readonly line: number; readonly attributes: Attributes }>();
  #next: DotToken | null;
  #line = 1;

  constructor(tokens: Iterator<DotToken, void, undefined>, file: string, facts: GraphFacts) {
    this.#tokens = tokens;
    this.#file = file;
    this.#facts = facts;
    this.#next = tokens.next().value ?? null;
  }

  *records(): Generator<GraphRecord, void, undefined> {
    this.#takesKeyword("strict");
    if (this.#takesKeyword("digraph")) this.#facts.directed = true;
    else if (this.#takesKeyword("graph")) this.#facts.directed = false;
    else throw this.#expected("graph or digraph");
    if (this.#next?.isWord) this.#word();
    this.#sign("{");
    yield* this.#statements(new Set(), 0);
    if (this.#next) throw this.#expected("the end of the file: one graph makes a data set");
    for (const [id, { line, attributes }] of this.#nodes) yield graphRecord("nodes", line, [id], attributes);
  }

  /** Statements up to the closing brace; the nodes that they name are added to a set. */
  *#statements(named: Set<string>, depth: number): Generator<GraphRecord, void, undefined> {
    if (depth > deepest) throw damagedGraphFile(this.#file, this.#line, `subgraphs lie ${depth} deep in each other.`);
    while (!this.#takes("}")) {
      if (this.#takes(";") || this.#takes(",")) continue;
      if (this.#takesDefaults()) continue;
      yield* this.#statement(named, depth);
    }
  }

  *#statement(named: Set<string>, depth: number): Generator<GraphRecord, void, undefined> {
    const line = this.#next?.line ?? this.#line;
    const isSet = this.#isSubgraph();
    const first = yield* this.#end(named, depth);
    if (!isSet && this.#takes("=")) {
      this.#word();
      // What is set is no node.
      return;
    }
    const ends = [first];
    while (this.#takesArrow()) ends.push(yield* this.#end(named, depth));
    for (const one of ends) for (const id of one) this.#nodeAt(id, line);
    for (const one of ends) for (const id of one) named.add(id);
    const attributes = this.#attributes();
    if (ends.length === 1) {
      if (!isSet) for (const [name, value] of attributes) this.#nodeAt(first[0]!, line).set(name, value);
      return;
    }
    for (const [i, sources] of ends.slice(0, -1).entries())
      for (const source of sources)
        for (const target of ends[i + 1]!) yield graphRecord("edges", line, [source, target], attributes);
  }

  /** The nodes at an end of an edge: one, or those of a subgraph */
  *#end(named: Set<string>, depth: number): Generator<GraphRecord, string[], undefined> {
    if (!this.#isSubgraph()) return [this.#nodeId()];
    if (this.#takesKeyword("subgraph") && this.#next?.isWord) this.#word();
    const own = new Set<string>();
    this.#sign("{");
    yield* this.#statements(own, depth + 1);
    for (const id of own) named.add(id);
    return [...own];
  }

  #isSubgraph(): boolean {
    return this.#isKeyword("subgraph") || (this.#next?.text === "{" && !this.#next.isWord);
  }

  #nodeId(): string {
    const id = this.#word();
    for (let ports = 0; ports < 2 && this.#takes(":"); ports++) this.#word();
    return id;
  }

  #nodeAt(id: string, line: number): Attributes {
    const known = this.#nodes.get(id) ?? { line, attributes: new Map() };
    this.#nodes.set(id, known);
    return known.attributes;
  }

  /** `node [shape=box]`: what follows has it, unless it says otherwise. */
  #takesDefaults(): boolean {
    const kind = ["graph", "node", "edge"].find((word) => this.#takesKeyword(word));
    if (kind === undefined) return false;
    const names = [...this.#attributes().keys()].map((name) => `"${name}"`).join(", ");
    if (kind !== "graph" && names !== "")
      this.#facts.notes.add(`what ${kind} […] sets for all that follow is not read: ${names}.`);
    return true;
  }

  #attributes(): Attributes {
    const found: Attributes = new Map();
    while (this.#takes("[")) {
      while (!this.#takes("]")) {
        const name = this.#word();
        this.#sign("=");
        found.set(name, this.#word());
        if (!this.#takes(",")) this.#takes(";");
      }
    }
    return found;
  }

  #takesArrow(): boolean {
    const arrow = this.#facts.directed ? "->" : "--";
    const other = this.#facts.directed ? "--" : "->";
    if (this.#takes(other))
      throw damagedGraphFile(
        this.#file,
        this.#line,
        `found ${other}, expected ${arrow} as in the whole ${this.#facts.directed ? "digraph" : "graph"}.`,
      );
    return this.#takes(arrow);
  }

  #isKeyword(word: string): boolean {
    return this.#next?.isWord === true && !this.#next.isQuoted && this.#next.text.toLowerCase() === word;
  }

  #takesKeyword(word: string): boolean {
    if (!this.#isKeyword(word)) return false;
    this.#advance();
    return true;
  }

  #takes(sign: string): boolean {
    if (!this.#next) throw damagedGraphFile(this.#file, this.#line, "the file ends within the graph; it is cut off.");
    if (this.#next.isWord || this.#next.text !== sign) return false;
    this.#advance();
    return true;
  }

  #sign(sign: string): void {
    if (!this.#takes(sign)) throw this.#expected(sign);
  }

  /** A word; texts in quotes may be joined by `+`. */
  #word(): string {
    const token = this.#next;
    if (!token?.isWord) throw this.#expected("a word");
    this.#advance();
    let { text } = token;
    while (token.isQuoted && this.#next?.text === "+" && !this.#next.isWord) {
      this.#advance();
      text += this.#word();
    }
    return text;
  }

  #advance(): void {
    this.#line = this.#next?.line ?? this.#line;
    this.#next = this.#tokens.next().value ?? null;
  }

  #expected(what: string) {
    if (!this.#next) return damagedGraphFile(this.#file, this.#line, `the file ends, expected ${what}; it is cut off.`);
    return damagedGraphFile(this.#file, this.#next.line, `found "${this.#next.text.slice(0, 40)}", expected ${what}.`);
  }
}
