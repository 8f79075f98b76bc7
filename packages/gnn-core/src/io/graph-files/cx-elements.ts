import { GnnError } from "../../errors/gnn-error.ts";
import { isObject, type JsonObject, textOf } from "./graph-json-elements.ts";
import type { GraphFacts, GraphPart, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";

interface Element {
  readonly number: number;
  readonly ends: readonly string[];
  readonly attributes: Map<string, string | null>;
}

/** An attribute of CX 2: by which short name elements have it, and what those have that lack it */
interface Declared {
  readonly name: string;
  readonly short: string;
  readonly value: string | null;
}

/** Nodes and edges of a network in CX, in the order of the file. */
export class CxElements {
  readonly #file: string;
  readonly #facts: GraphFacts;
  readonly #counts: Record<GraphPart, number> = { nodes: 0, edges: 0 };
  readonly #declared: Record<GraphPart, Declared[]> = { nodes: [], edges: [] };
  #whole: GraphRecord[] = [];
  /** Elements of version 1, whose attributes may stand anywhere behind them, by their ids */
  readonly #waiting: Record<GraphPart, Map<string, Element>> = { nodes: new Map(), edges: new Map() };

  constructor(file: string, facts: GraphFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  /** @param aspect which aspect it is an element of */
  add(aspect: string, value: unknown): void {
    if (!isObject(value)) return;
    if (aspect === "attributeDeclarations") this.#declare(value);
    else if (aspect === "nodeAttributes") this.#addAttribute("nodes", value);
    else if (aspect === "edgeAttributes") this.#addAttribute("edges", value);
    else if (aspect === "nodes" || aspect === "edges") this.#addElement(aspect, value);
  }

  /** The records since the last call that are whole. */
  taken(): GraphRecord[] {
    const records = this.#whole;
    this.#whole = [];
    return records;
  }

  /** What could have got more attributes until the end. */
  *rest(): Iterable<GraphRecord> {
    for (const part of ["nodes", "edges"] as const)
      for (const { number, ends, attributes } of this.#waiting[part].values())
        yield graphRecord(part, number, ends, attributes);
  }

  #declare(value: JsonObject): void {
    for (const part of ["nodes", "edges"] as const) {
      const named = value[part];
      if (!isObject(named)) continue;
      for (const [name, told] of Object.entries(named)) {
        const { a: short, v: usual } = isObject(told) ? told : {};
        this.#declared[part].push({ name, short: typeof short === "string" ? short : name, value: textOf(usual) });
      }
    }
  }

  #addElement(part: GraphPart, value: JsonObject): void {
    const number = ++this.#counts[part];
    const isNode = part === "nodes";
    const found = isNode ? [value["id"] ?? value["@id"]] : [value["s"], value["t"]];
    const ends = found.map((id) =>
      this.#idOf(id, part, number, isNode ? 'an "id"' : '"s" and "t", the ids of its ends'),
    );
    if (value["@id"] === undefined) {
      const given = isObject(value["v"]) ? value["v"] : {};
      this.#whole.push(graphRecord(part, number, ends, this.#attributesOf(part, given)));
      return;
    }
    const id = this.#idOf(value["@id"], part, number, 'an "@id"');
    if (this.#waiting[part].has(id)) throw this.#invalid(part, number, `the "@id" ${id} is there before it.`);
    const attributes = new Map<string, string | null>();
    if (isNode && value["n"] !== undefined) attributes.set("name", textOf(value["n"]));
    if (!isNode && value["i"] !== undefined) attributes.set("interaction", textOf(value["i"]));
    this.#waiting[part].set(id, { number, ends, attributes });
  }

  *#attributesOf(part: GraphPart, given: JsonObject): Iterable<readonly [string, string | null]> {
    const rest = new Map(Object.entries(given));
    for (const { name, short, value } of this.#declared[part]) {
      const found = rest.get(short) ?? rest.get(name);
      rest.delete(short);
      rest.delete(name);
      if (found !== undefined || value !== null) yield [name, found === undefined ? value : textOf(found)];
    }
    for (const [name, value] of rest) yield [name, textOf(value)];
  }

  #addAttribute(part: GraphPart, { po, n, v }: JsonObject): void {
    for (const id of Array.isArray(po) ? (po as unknown[]) : [po]) {
      const element = this.#waiting[part].get(String(id));
      if (element && typeof n === "string") element.attributes.set(n, textOf(v));
      else this.#facts.notes.add(`its attributes name ${part} that do not stand before them; they are left out.`);
    }
  }

  #idOf(id: unknown, part: GraphPart, number: number, expected: string): string {
    if ((typeof id === "string" && id !== "") || (typeof id === "number" && Number.isSafeInteger(id)))
      return String(id);
    throw this.#invalid(part, number, `expected ${expected}.`);
  }

  #invalid(part: GraphPart, number: number, found: string): GnnError {
    const message = `${this.#file}, number ${number} of its ${part}: ${found}`;
    return new GnnError("DATASET_ROW_INVALID", message, { place: { file: this.#file, line: number } });
  }
}
