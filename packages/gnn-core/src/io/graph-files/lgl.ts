import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { NamedNodes } from "./named-nodes.ts";
import { numberedLines } from "./numbered-lines.ts";

/**
 * Files of the Large Graph Layout: a line `# vertex`, then its neighbours on a line each, with the weight of the edge
 * behind them or without. An edge has no direction and stands below one of its ends; a vertex without a neighbour has
 * its line `#` alone.
 *
 * https://igraph.org/c/doc/igraph-Foreign.html (igraph_read_graph_lgl)
 */
export const parseLgl: GraphParser = async function* (text, file, facts) {
  facts.directed = false;
  facts.edgeDefaults.set("weight", "1");
  const nodes = new NamedNodes();
  let vertex: string | null = null;
  for await (const { number, text: line } of numberedLines(text)) {
    const fields = line.trim().split(/\s+/);
    if (fields[0] === "") continue;
    if (line.trimStart().startsWith("#")) {
      const words = line.trim().slice(1).trim().split(/\s+/);
      if (words.length !== 1 || words[0] === "")
        throw damagedGraphFile(file, number, `found "${line.slice(0, 60)}", expected # and the name of a vertex.`);
      vertex = words[0]!;
      yield* nodes.named(vertex, number);
      continue;
    }
    if (vertex === null) throw damagedGraphFile(file, number, "expected # and the name of a vertex before neighbours.");
    const [neighbour, weight, ...more] = fields as [string, ...string[]];
    if (more.length > 0 || (weight !== undefined && !Number.isFinite(Number(weight))))
      throw damagedGraphFile(
        file,
        number,
        `found "${line.trim().slice(0, 60)}", expected a neighbour of ${vertex} and the weight of the edge, if it has one.`,
      );
    yield* nodes.named(neighbour, number);
    yield graphRecord("edges", number, [vertex, neighbour], weight === undefined ? [] : [["weight", weight]]);
  }
};
