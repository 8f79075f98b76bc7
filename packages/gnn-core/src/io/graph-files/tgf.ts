import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { numberedLines } from "./numbered-lines.ts";

/**
 * The Trivial Graph Format, as yEd writes it: a line for each node, its id and what it is called; a line `#`; a line
 * for each edge, its two ends and what it is called. Whether edges lead one way is not said.
 *
 * https://en.wikipedia.org/wiki/Trivial_Graph_Format
 */
export const parseTgf: GraphParser = async function* (text, file) {
  const known = new Set<string>();
  let isBelow = false;
  for await (const { number, text: line } of numberedLines(text)) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    if (trimmed === "#") {
      if (isBelow) throw damagedGraphFile(file, number, "found a second line #, expected one between nodes and edges.");
      isBelow = true;
      continue;
    }
    const ends = trimmed.split(/\s+/, isBelow ? 2 : 1);
    const called = trimmed.replace(isBelow ? /^\S+\s+\S+\s*/ : /^\S+\s*/, "");
    const attributes = called === "" ? [] : [["label", called] as const];
    if (!isBelow) {
      known.add(ends[0]!);
      yield graphRecord("nodes", number, ends, attributes);
      continue;
    }
    const unknown = ends.find((end) => !known.has(end));
    if (ends.length < 2 || unknown !== undefined)
      throw damagedGraphFile(
        file,
        number,
        ends.length < 2
          ? `found "${trimmed.slice(0, 60)}", expected the two ends of an edge.`
          : `the edge names "${unknown}", which is no node above the line #.`,
      );
    yield graphRecord("edges", number, ends, attributes);
  }
  if (!isBelow) throw damagedGraphFile(file, 1, "expected a line # between its nodes and its edges.");
};
