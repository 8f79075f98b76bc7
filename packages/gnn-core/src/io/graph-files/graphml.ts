import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphFacts, GraphParser, GraphRecord } from "./graph-record.ts";
import { readXml, recordOfElement, type XmlElement, type XmlHandler } from "./xml-elements.ts";

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
export const parseGraphml: GraphParser = (text, file, facts) => readXml(text, file, new GraphmlHandler(file, facts));

class GraphmlHandler implements XmlHandler {
  readonly withText: ReadonlySet<string> = new Set(["data", "default"]);
  readonly #file: string;
  readonly #facts: GraphFacts;
  readonly #keys = new Map<string, Key>();
  readonly #data = new Map<XmlElement, Map<string, string>>();
  #hasGraph = false;

  constructor(file: string, facts: GraphFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  begin(element: XmlElement): void {
    if (element.name === "graph") this.#beginGraph(element);
    if (element.name === "node" || element.name === "edge") this.#data.set(element, new Map());
    if (element.name === "hyperedge")
      throw damagedGraphFile(
        this.#file,
        element.line,
        "a hyperedge joins more than two nodes; write an edge for each pair.",
      );
  }

  end(element: XmlElement): GraphRecord | null {
    const { name, attributes, parent, text } = element;
    if (name === "key") this.#addKey(element, null);
    if (name === "default" && parent?.name === "key") this.#addKey(parent, text.trim());
    if (name === "data" && parent) this.#data.get(parent)?.set(attributes["key"] ?? "", text.trim());
    if (name !== "node" && name !== "edge") return null;
    const direction = name === "edge" ? attributes["directed"] : undefined;
    const directed = direction === undefined ? undefined : direction === "true";
    return recordOfElement(element, this.#file, this.#valuesOf(element), directed);
  }

  #beginGraph({ attributes, parent, line }: XmlElement): void {
    if (parent?.name === "node") return;
    if (this.#hasGraph)
      throw damagedGraphFile(
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

  #valuesOf(element: XmlElement): Map<string, string> {
    const given = this.#data.get(element)!;
    this.#data.delete(element);
    const values = new Map<string, string>();
    for (const [id, { name, for: kind, fallback }] of this.#keys) {
      const value = given.get(id) ?? (kind === element.name || kind === "all" ? fallback : null);
      if (value !== null) values.set(name, value);
    }
    for (const [id, value] of given) if (!this.#keys.has(id)) values.set(id, value);
    return values;
  }
}
