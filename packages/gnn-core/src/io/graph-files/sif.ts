import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { NamedNodes } from "./named-nodes.ts";
import { numberedLines } from "./numbered-lines.ts";

/**
 * Cytoscape's Simple Interaction Format: on each line a node, the type of its edges and the nodes that they lead to, or
 * a node alone. Words stand between tabs where the file has one, and may then hold blanks; else between blanks.
 *
 * https://manual.cytoscape.org/en/stable/Supported_Network_File_Formats.html#sif-format
 */
export const parseSif: GraphParser = async function* (text, file, facts) {
  facts.directed = true;
  const nodes = new NamedNodes();
  let separator: "tab" | "blank" | null = null;
  for await (const { number, text: line } of numberedLines(text)) {
    if (line.trim() === "") continue;
    const found = line.includes("\t") ? "tab" : /\S\s+\S/.test(line) ? "blank" : null;
    separator ??= found;
    if (separator === "blank" && found === "tab")
      throw damagedGraphFile(file, number, "a tab stands between words, and blanks do above. Write tabs throughout.");
    const words = (separator === "tab" ? line.split("\t") : line.trim().split(/\s+/)).map((word) => word.trim());
    const [source, type, ...targets] = words as [string, ...string[]];
    if (type !== undefined && (targets.length === 0 || words.includes("")))
      throw damagedGraphFile(file, number, `found "${line.slice(0, 60)}", expected a node, a type of edge and nodes.`);
    yield* nodes.named(source, number);
    for (const target of targets) {
      yield* nodes.named(target, number);
      yield graphRecord("edges", number, [source, target], [["type", type!]]);
    }
  }
};
