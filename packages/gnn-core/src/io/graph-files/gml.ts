import { damagedGraphFile } from "./damaged-graph-file.ts";
import { type GmlToken, gmlTokens } from "./gml-tokens.ts";
import type { GraphFacts, GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";

/** A list between brackets, flat: what lies in lists within it has names such as `address.town`. */
interface GmlList {
  readonly key: string;
  readonly line: number;
  readonly values: Map<string, string>;
}

const maxDepth = 64;

/**
 * GML: a list `graph` of the lists `node`, each with an `id`, and `edge`, each with `source` and `target`; whatever
 * else these hold is an attribute, but for `graphics`, which says how they are drawn.
 *
 * Himsolt, "GML: A portable graph file format", 1996
 */
export const parseGml: GraphParser = async function* (text, file, facts) {
  const open: GmlList[] = [];
  let key: GmlToken | null = null;
  let numGraphs = 0;
  for await (const token of gmlTokens(text, file)) {
    if (token.kind === "close") {
      const ended = open.pop();
      if (key || !ended) throw damagedGraphFile(file, token.line, "a bracket closes that was never opened.");
      const record = open.length === 1 ? recordOf(ended, file) : null;
      if (record) yield record;
      continue;
    }
    if (!key) {
      if (token.kind !== "word") throw damagedGraphFile(file, token.line, `found "${token.text}", expected a name.`);
      key = token;
      continue;
    }
    if (token.kind === "open") {
      if (open.length === 0 && key.text === "graph" && ++numGraphs > 1)
        throw damagedGraphFile(
          file,
          key.line,
          "a second graph begins here, and one dataset is one graph; write each to a file.",
        );
      if (open.length > 0 && key.text === "graph")
        throw damagedGraphFile(
          file,
          key.line,
          "a graph begins within another; write its nodes and edges beside those.",
        );
      if (open.length >= maxDepth) throw damagedGraphFile(file, token.line, `lists lie more than ${maxDepth} deep.`);
      open.push({ key: key.text, line: key.line, values: open.length > 1 ? open.at(-1)!.values : new Map() });
    } else keep(open, key.text, token.text, facts);
    key = null;
  }
  if (key || open.length > 0) throw damagedGraphFile(file, open[0]?.line ?? 1, "the list that begins here has no end.");
};

/** Values of the graph itself say only whether it is directed. */
function keep(open: readonly GmlList[], key: string, text: string, facts: GraphFacts): void {
  if (open.length === 1 && open[0]!.key === "graph" && key === "directed") facts.directed = text === "1";
  if (open.length < 2 || open[2]?.key === "graphics") return;
  const { values } = open.at(-1)!;
  const path = [...open.slice(2).map((list) => list.key), key].join(".");
  let name = path;
  for (let i = 2; values.has(name); i++) name = `${path}.${i}`;
  values.set(name, text);
}

function recordOf({ key, line, values }: GmlList, file: string): GraphRecord | null {
  if (key !== "node" && key !== "edge") return null;
  const names = key === "node" ? ["id"] : ["source", "target"];
  const ends = names.map((name) => {
    const found = values.get(name);
    if (found === undefined) throw damagedGraphFile(file, line, `the ${key} that begins here has no "${name}".`);
    values.delete(name);
    return found;
  });
  return graphRecord(key === "node" ? "nodes" : "edges", line, ends, values);
}
