import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { NamedNodes } from "./named-nodes.ts";
import { numberedLines } from "./numbered-lines.ts";

const between = /[\s,;]+/;

/**
 * Lists of neighbours: on each line a node, with a colon behind it or without, and those that it has an edge to,
 * between blanks, commas or semicolons. A line of one name is a node without neighbours of its own; lines that begin
 * with # or % are comments. Whether edges have a direction, such files do not say.
 *
 * https://networkx.org/documentation/stable/reference/readwrite/adjlist.html
 */
export const parseNeighbourLists: GraphParser = async function* (text, file) {
  const nodes = new NamedNodes();
  for await (const { number, text: line } of numberedLines(text)) {
    const content = line.trim();
    if (content === "" || /^[#%]/.test(content)) continue;
    if (/[{}]/.test(content))
      throw damagedGraphFile(
        file,
        number,
        "attributes stand behind a neighbour, as networkx's write_multiline_adjlist writes them; write the edges with networkx.write_edgelist(graph, path).",
      );
    const [, before, behind] = /^([^:]*[^\s:]):(?:\s+|$)(.*)$/.exec(content) ?? [];
    const fields = (behind === undefined ? content : behind).split(between).filter((field) => field !== "");
    const [node, ...neighbours] = before === undefined ? fields : [before.trim(), ...fields];
    yield* nodes.named(node!, number);
    for (const neighbour of neighbours) {
      yield* nodes.named(neighbour, number);
      yield graphRecord("edges", number, [node!, neighbour], []);
    }
  }
};
