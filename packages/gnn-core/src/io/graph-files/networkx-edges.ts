import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { numberedLines } from "./numbered-lines.ts";
import { parsePythonDict } from "./python-dict.ts";

const row = /^([^\s,]+)(?:\s*,\s*|\s+)([^\s,]+)(?:\s*,\s*|\s+)(\{.*\})$/;

/** Whether a line is an edge as networkx.write_edgelist writes it. */
export function isNetworkxEdge(line: string): boolean {
  const dict = row.exec(line.trim())?.[3];
  return dict !== undefined && parsePythonDict(dict) !== null;
}

/**
 * Edges as networkx.write_edgelist writes them: both ends and a dict of Python with what is said of the edge.
 *
 * https://networkx.org/documentation/stable/reference/readwrite/edgelist.html
 */
export const parseNetworkxEdges: GraphParser = async function* (text, file, facts) {
  // Wherever networkx asks for the weight of an edge that has none, it takes 1.
  facts.edgeDefaults.set("weight", "1");
  for await (const { number, text: line } of numberedLines(text)) {
    const content = line.trim();
    if (content === "" || content.startsWith("#")) continue;
    const [, source, target, dict] = row.exec(content) ?? [];
    const values = dict === undefined ? null : parsePythonDict(dict);
    if (values === null)
      throw damagedGraphFile(
        file,
        number,
        `found "${content.slice(0, 80)}", expected two ids and a dict such as {'weight': 3}.`,
      );
    yield graphRecord("edges", number, [source!, target!], values);
  }
};
