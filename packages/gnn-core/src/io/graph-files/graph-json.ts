import { JSONParser } from "@streamparser/json";
import { GnnError } from "../../errors/gnn-error.ts";
import {
  attributesOf,
  directionNames,
  directionOf,
  isObject,
  type JsonObject,
  namesOfEnds,
} from "./graph-json-elements.ts";
import { graphJsonPaths } from "./graph-json-layout.ts";
import type { GraphFacts, GraphParser, GraphPart, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { JsonAdjacency } from "./json-adjacency.ts";
import { endJson, writeJson } from "./write-json.ts";

/**
 * Graphs in JSON: `nodes` with `links` or `edges` as networkx, d3 and graphology write them, `nodes` with `adjacency`
 * as networkx does, the JSON Graph Format, whose nodes stand by their ids, and Cytoscape's elements. Where nodes have
 * neither `id` nor `key`, links name them by their place, counted from 0, or by their name.
 *
 * https://networkx.org/documentation/stable/reference/readwrite/json_graph.html, https://js.cytoscape.org/#notation,
 * https://jsongraphformat.info
 */
export const parseGraphJson: GraphParser = async function* (text, file, facts) {
  const elements = new GraphJsonElements(file, facts);
  let parser: JSONParser | null = null;
  for await (const piece of text) {
    parser ??= parserFor(piece, elements);
    writeJson(parser, piece, file);
    yield* elements.taken();
  }
  if (parser) endJson(parser, file);
  yield* elements.rest();
};

function parserFor(head: string, elements: GraphJsonElements): JSONParser {
  const parser = new JSONParser({ paths: graphJsonPaths(head), keepStack: false, stringBufferSize: 0 });
  parser.onValue = ({ value, stack, key }) => {
    const path = [...stack.slice(1).map((place) => String(place.key)), String(key)];
    elements.add(path, value, typeof key === "string" ? key : null);
  };
  return parser;
}

class GraphJsonElements {
  readonly #file: string;
  readonly #facts: GraphFacts;
  #records: GraphRecord[] = [];
  /** Nodes without an id, until it is known how links name them. */
  readonly #nameless: JsonObject[] = [];
  #endsAreNumbers = true;
  readonly #counts: Record<GraphPart, number> = { nodes: 0, edges: 0 };
  readonly #adjacency = new JsonAdjacency();
  #lists = 0;

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

  /** Nodes that name no id: all of them, or the file is damaged. */
  *rest(): Iterable<GraphRecord> {
    if (this.#nameless.length > 0 && this.#nameless.length < this.#counts.nodes)
      throw this.#invalid("nodes", this.#counts.nodes, 'some nodes have an "id" and others have none.');
    for (const [place, node] of this.#nameless.entries()) {
      const id = this.#endsAreNumbers ? place : (node["name"] ?? node["label"]);
      yield graphRecord("nodes", place + 1, [this.#idOf(id, "nodes", place + 1)], attributesOf(node, []));
    }
  }

  /** @param member the name of an object's member, which the JSON Graph Format calls a node by */
  add(path: readonly string[], value: unknown, member: string | null): void {
    if (this.#takeDirection(path, value)) return;
    const list = path.at(-2);
    if (path[0] === "graph") this.#facts.directed ??= true;
    if (list === "graphs") throw this.#several();
    if (list === "adjacency") return this.#addNeighbours(value);
    const element = isObject(value) && isObject(value["data"]) ? value["data"] : value;
    const isEdge = list === "edges" || list === "links" || (list !== "nodes" && isEdgeElement(value, element));
    if (isEdge) this.#addEdge(element);
    else this.#addNode(list === "nodes" && member !== null && isObject(element) ? { ...element, id: member } : element);
  }

  /**
   * What is said of the whole graph: networkx and the JSON Graph Format have `directed`, which is true where the latter
   * leaves it out, and graphology a type, whose mixed graphs mark single edges.
   */
  #takeDirection(path: readonly string[], value: unknown): boolean {
    if (path.at(-1) === "directed" && path.at(-2) !== "nodes") {
      if (typeof value === "boolean") this.#facts.directed = value;
      return true;
    }
    if (path.join(".") !== "options.type") return false;
    if (value === "directed" || value === "mixed") this.#facts.directed = true;
    if (value === "undirected") this.#facts.directed = false;
    return true;
  }

  /** The neighbours of the node at this place */
  #addNeighbours(value: unknown): void {
    const place = this.#lists++;
    for (const neighbour of Array.isArray(value) ? (value as unknown[]) : [null]) {
      const number = ++this.#counts.edges;
      const id = this.#idOf(isObject(neighbour) ? neighbour["id"] : neighbour, "edges", number);
      const ends = this.#adjacency.endsOf(place, id, this.#facts.directed === true);
      if (ends === undefined)
        throw this.#invalid(
          "edges",
          number,
          `list ${place + 1} of its adjacency names "${id}"; expected nodes that are listed before.`,
        );
      if (ends === null) continue;
      this.#records.push(
        graphRecord("edges", number, ends, attributesOf(isObject(neighbour) ? neighbour : {}, ["id"])),
      );
    }
  }

  #several(): GnnError {
    const message = `${this.#file} holds a list of graphs, and one dataset is one graph; write each to a file.`;
    return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: this.#file } });
  }

  #addNode(value: unknown): void {
    const number = ++this.#counts.nodes;
    const node = isObject(value) ? value : null;
    const id = node ? (node["id"] ?? node["key"]) : value;
    if (node && id === undefined) this.#nameless.push(node);
    else {
      const text = this.#idOf(id, "nodes", number);
      this.#adjacency.addNode(text);
      this.#records.push(
        graphRecord("nodes", number, [text], attributesOf(node ?? {}, [node?.["id"] === undefined ? "key" : "id"])),
      );
    }
  }

  #addEdge(value: unknown): void {
    const number = ++this.#counts.edges;
    const edge = isObject(value) ? value : null;
    const [src, dst] = namesOfEnds(edge);
    const [source, target] = Array.isArray(value) ? (value as unknown[]) : [edge?.[src], edge?.[dst]];
    if (typeof source !== "number" || typeof target !== "number") this.#endsAreNumbers = false;
    const ends = [source, target].map((end) => this.#idOf(end, "edges", number));
    const told = edge ? directionOf(edge) : undefined;
    const kept = attributesOf(edge ?? {}, [src, dst, ...(told === undefined ? [] : directionNames)]);
    this.#records.push(graphRecord("edges", number, ends, kept, told));
  }

  /** JSON readers keep 53 bits of a number: a longer one could be another node's. */
  #idOf(id: unknown, part: GraphPart, number: number): string {
    if (typeof id === "string" && id !== "") return id;
    if (typeof id === "number" && (Number.isSafeInteger(id) || !Number.isInteger(id))) return String(id);
    if (typeof id === "number")
      throw this.#invalid(part, number, "an id has more digits than JSON readers keep; write it in quotes.");
    const names = part === "nodes" ? 'an "id"' : 'a "source" and a "target"';
    throw this.#invalid(part, number, `expected ${names}, each a text or a number.`);
  }

  #invalid(part: GraphPart, number: number, found: string): GnnError {
    const message = `${this.#file}, number ${number} of its ${part}: ${found}`;
    return new GnnError("DATASET_ROW_INVALID", message, { place: { file: this.#file, line: number } });
  }
}

/** Cytoscape says of an element which it is, or leaves it to its ends. */
function isEdgeElement(element: unknown, data: unknown): boolean {
  if (isObject(element) && (element["group"] === "nodes" || element["group"] === "edges"))
    return element["group"] === "edges";
  return isObject(data) && data["source"] !== undefined && data["target"] !== undefined;
}
