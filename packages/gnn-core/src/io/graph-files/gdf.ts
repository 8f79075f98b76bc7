import { damagedGraphFile } from "./damaged-graph-file.ts";
import type { GraphParser } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { numberedLines } from "./numbered-lines.ts";

/**
 * GDF, as GUESS and Gephi write it: below `nodedef>` a row for each node, its name first; below `edgedef>` one for each
 * edge, its two ends first. Values stand between commas, in quotes of one kind or the other where they hold one. An
 * edge has no direction unless a column `directed` says so.
 *
 * https://docs.gephi.org/desktop/User_Manual/Import/GDF_Format/
 */
export const parseGdf: GraphParser = async function* (text, file, facts) {
  let part: "nodes" | "edges" | null = null;
  let columns: readonly string[] = [];
  for await (const { number, text: line } of numberedLines(text)) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const found = /^\s*(node|edge)def>(.*)$/i.exec(line);
    if (found) {
      part = found[1]!.toLowerCase() === "node" ? "nodes" : "edges";
      columns = columnsIn(found[2]!);
      if (columns.length < (part === "nodes" ? 1 : 2))
        throw damagedGraphFile(
          file,
          number,
          `expected ${part === "nodes" ? "the name" : "two ends"} among the columns.`,
        );
      facts.directed ??= false;
      continue;
    }
    if (part === null) throw damagedGraphFile(file, number, "expected nodedef> and the columns of the nodes.");
    const values = valuesIn(line);
    if (values === null) throw damagedGraphFile(file, number, "a quote is opened and never closed.");
    if (values.length !== columns.length)
      throw damagedGraphFile(
        file,
        number,
        `found ${values.length} values, expected ${columns.length} as in ${part === "nodes" ? "nodedef" : "edgedef"}>. Write values that hold commas in quotes.`,
      );
    const numEnds = part === "nodes" ? 1 : 2;
    const direction = part === "edges" ? columns.findIndex((name) => /^directed$/i.test(name)) : -1;
    const attributes = columns.flatMap((name, i) =>
      i < numEnds || i === direction ? [] : [[name, values[i]!] as const],
    );
    const told = direction < 0 ? undefined : /^(true|1)$/i.test(values[direction]!);
    yield graphRecord(part, number, values.slice(0, numEnds), attributes, told);
  }
};

/** The names of `name VARCHAR,weight DOUBLE default 1`. */
function columnsIn(definition: string): string[] {
  return (valuesIn(definition) ?? []).map((column) => column.trim().split(/\s+/)[0]!).filter((name) => name !== "");
}

/** Null: a quote is not closed. */
function valuesIn(line: string): string[] | null {
  const values: string[] = [];
  for (let at = 0; at <= line.length; ) {
    const start = at + /^\s*/.exec(line.slice(at))![0].length;
    const quote = line[start];
    if (quote !== "'" && quote !== '"') {
      const end = line.indexOf(",", at) < 0 ? line.length : line.indexOf(",", at);
      values.push(line.slice(at, end).trim());
      at = end + 1;
      continue;
    }
    let end = start + 1;
    while (end < line.length && line[end] !== quote) end += line[end] === "\\" ? 2 : 1;
    const behind = /^\s*(,|$)/.exec(line.slice(end + 1));
    if (end >= line.length || !behind) return null;
    values.push(line.slice(start + 1, end).replaceAll(/\\(.)/g, "$1"));
    at = end + 1 + Math.max(1, behind[0].length);
  }
  return values;
}
