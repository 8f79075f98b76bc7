import type { GraphFacts, GraphParser, GraphPart, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { graphFileDamaged } from "./open-graph-file.ts";
import { readXml, type XmlElement, type XmlHandler } from "./xml-elements.ts";

interface Key {
  readonly name: string;
  readonly for: string;
  readonly fallback: string | null;
}

/**
 * GraphML: nodes with ids, edges with source and target, attributes declared as keys with a default, also in graphs
 * that lie in nodes. Hyperedges join more than two nodes and are refused.
 *
 * http://graphml.graphdrawing.org/specification.html
 */
export const parseGraphml: GraphParser = async function* (text, file, facts) {
  const handler = new GraphmlHandler(file, facts);
  for await (const _ of readXml(text, file, handler)) yield* handler.taken();
};

class GraphmlHandler implements XmlHandler {
  readonly withText: ReadonlySet<string> = new Set(["data", "default"]);
  readonly #file: string;
  readonly #facts: GraphFacts;
  readonly #keys = new Map<string, Key>();
  readonly #data = new Map<XmlElement, Map<string, string>>();
  #records: GraphRecord[] = [];
  #hasGraph = false;

  constructor(file: string, facts: GraphFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  /** The records since the last call. */
  taken(): GraphRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  begin(element: XmlElement): void {
    if (element.name === "graph") this.#beginGraph(element);
    if (element.name === "node" || element.name === "edge") this.#data.set(element, new Map());
    if (element.name === "hyperedge")
      throw graphFileDamaged(
        this.#file,
        element.line,
        "a hyperedge joins more than two nodes; write an edge for each pair.",
      );
  }

  end(element: XmlElement): void {
    const { name, attributes, parent, text } = element;
    if (name === "key") this.#addKey(element, null);
    if (name === "default" && parent?.name === "key") this.#addKey(parent, text.trim());
    if (name === "data" && parent) this.#data.get(parent)?.set(attributes["key"] ?? "", text.trim());
    if (name === "node") this.#add("nodes", element, ["id"]);
    if (name === "edge") this.#add("edges", element, ["source", "target"]);
  }

  #beginGraph({ attributes, parent, line }: XmlElement): void {
    if (parent?.name === "node") return;
    if (this.#hasGraph)
      throw graphFileDamaged(
        this.#file,
        line,
        "a second graph begins here, and one dataset is one graph; write each to a file.",
      );
    this.#hasGraph = true;
    const direction = attributes["edgedefault"];
    if (direction === "directed" || direction === "undirected") this.#facts.directed = direction === "directed";
  }

  /** The default of a key ends before the key itself does. */
  #addKey({ attributes }: XmlElement, fallback: string | null): void {
    const id = attributes["id"] ?? "";
    if (this.#keys.has(id)) return;
    this.#keys.set(id, { name: attributes["attr.name"] ?? id, for: attributes["for"] ?? "all", fallback });
  }

  #add(part: GraphPart, element: XmlElement, names: readonly string[]): void {
    const { attributes, line } = element;
    const ends = names.map((name) => {
      const found = attributes[name];
      if (found) return found;
      throw graphFileDamaged(this.#file, line, `<${element.name}> has no attribute "${name}".`);
    });
    const direction = attributes["directed"];
    const directed = direction === undefined || part === "nodes" ? undefined : direction === "true";
    this.#records.push(graphRecord(part, line, ends, this.#valuesOf(element), directed));
    this.#data.delete(element);
  }

  #valuesOf(element: XmlElement): Map<string, string> {
    const given = this.#data.get(element)!;
    const values = new Map<string, string>();
    for (const [id, { name, for: kind, fallback }] of this.#keys) {
      const value = given.get(id) ?? (kind === element.name || kind === "all" ? fallback : null);
      if (value !== null) values.set(name, value);
    }
    for (const [id, value] of given) if (!this.#keys.has(id)) values.set(id, value);
    return values;
  }
}
