import type { GraphFacts, GraphParser, GraphPart, GraphRecord } from "./graph-record.ts";
import { readXml, recordOfElement, type XmlElement, type XmlHandler } from "./xml-elements.ts";

interface Attribute {
  readonly title: string;
  readonly kind: string;
  readonly fallback: string | null;
}

const plainAttributes: Readonly<Record<GraphPart, readonly string[]>> = {
  nodes: ["label", "pid", "start", "end"],
  edges: ["id", "label", "weight", "kind", "start", "end"],
};

/**
 * GEXF, as Gephi writes it: nodes and edges with attributes declared by class and with defaults, nodes in nodes as
 * well. An edge without a weight weighs 1 where others have one; one that is `mutual` leads both ways. What is only
 * drawn (viz: colour, size, position) is no attribute, and of a value that changes over time the first is read.
 *
 * https://gexf.net/schema.html
 */
export const parseGexf: GraphParser = (text, file, facts) => {
  facts.edgeDefaults.set("weight", "1");
  return readXml(text, file, new GexfHandler(file, facts));
};

class GexfHandler implements XmlHandler {
  readonly withText: ReadonlySet<string> = new Set(["default"]);
  readonly #file: string;
  readonly #facts: GraphFacts;
  readonly #attributes = new Map<string, Attribute>();
  readonly #values = new Map<XmlElement, Map<string, string>>();

  constructor(file: string, facts: GraphFacts) {
    this.#file = file;
    this.#facts = facts;
  }

  begin(element: XmlElement): void {
    const { name, attributes } = element;
    if (name === "graph") {
      const direction = attributes["defaultedgetype"] ?? "undirected";
      this.#facts.directed = direction === "directed";
    }
    if (name === "node" || name === "edge") this.#values.set(element, new Map());
    if (name === "attvalue") this.#addValue(element);
  }

  end(element: XmlElement): GraphRecord | null {
    const { name, attributes, parent, text } = element;
    if (name === "default" && parent?.name === "attribute") this.#declare(parent, text.trim());
    if (name === "attribute") this.#declare(element, null);
    if (name !== "node" && name !== "edge") return null;
    const direction = name === "edge" ? attributes["type"] : undefined;
    const directed = direction === undefined ? undefined : direction === "directed";
    return recordOfElement(element, this.#file, this.#valuesOf(element), directed);
  }

  /** The default of an attribute ends before the attribute itself does. */
  #declare({ attributes, parent }: XmlElement, fallback: string | null): void {
    const id = attributes["id"] ?? "";
    const kind = parent?.attributes["class"] ?? "node";
    const key = `${kind} ${id}`;
    if (!this.#attributes.has(key)) this.#attributes.set(key, { title: attributes["title"] ?? id, kind, fallback });
  }

  #addValue({ attributes, parent }: XmlElement): void {
    const owner = parent?.parent;
    const values = owner && this.#values.get(owner);
    const id = attributes["for"] ?? attributes["id"];
    if (!values || id === undefined) return;
    if (!values.has(id)) values.set(id, attributes["value"] ?? "");
    else this.#facts.notes.add("values that change over time are read as they are first written; write one for each.");
  }

  #valuesOf(element: XmlElement): Map<string, string> {
    const values = new Map<string, string>();
    for (const name of plainAttributes[element.name === "node" ? "nodes" : "edges"]) {
      const value = element.attributes[name];
      if (value !== undefined) values.set(name, value);
    }
    const given = this.#values.get(element)!;
    this.#values.delete(element);
    for (const [key, { title, kind, fallback }] of this.#attributes) {
      if (kind !== element.name) continue;
      const value = given.get(key.slice(kind.length + 1)) ?? fallback;
      if (value !== null) values.set(title, value);
    }
    return values;
  }
}
