import { damagedGraphFile } from "./damaged-graph-file.ts";
import { isObject, type JsonObject } from "./graph-json-elements.ts";
import type { GraphParser, GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";
import { numberedLines } from "./numbered-lines.ts";

/** Whether a line is a node or a relationship as APOC writes them. */
export function isApocLine(line: string): boolean {
  const value = objectIn(line);
  return (
    value !== null &&
    ((value["type"] === "node" && typeof value["id"] === "string") ||
      (value["type"] === "relationship" && isObject(value["start"]) && isObject(value["end"])))
  );
}

/**
 * A graph of Neo4j as the procedures apoc.export.json write it, a node or a relationship on each line. Nodes have their
 * labels in `:LABEL`, as in files of the bulk import, `A;B` where there are several; relationships have their type, and
 * both have their properties.
 *
 * https://neo4j.com/docs/apoc/current/export/json/
 */
export const parseApoc: GraphParser = async function* (text, file, facts) {
  facts.directed = true;
  for await (const { number, text: line } of numberedLines(text)) {
    if (line.trim() === "") continue;
    const value = objectIn(line);
    const record = value === null ? null : recordOf(value, number);
    if (record === null)
      throw damagedGraphFile(
        file,
        number,
        `found "${line.slice(0, 60)}", expected a node {"type":"node","id":"0",…} or a relationship {"type":"relationship",…,"start":{"id":"0"},"end":{"id":"1"}}.`,
      );
    yield record;
  }
};

function recordOf(value: JsonObject, line: number): GraphRecord | null {
  const { type, id, labels, label, start, end, properties = {} } = value;
  if (!isObject(properties)) return null;
  if (type === "node" && typeof id === "string") {
    const names = Array.isArray(labels) ? labels.map(String).join(";") : "";
    return graphRecord("nodes", line, [id], [[":LABEL", names], ...propertiesOf(properties, ":LABEL")]);
  }
  if (type !== "relationship" || !isObject(start) || !isObject(end)) return null;
  const ends = [start["id"], end["id"]];
  if (!ends.every((one) => typeof one === "string") || typeof label !== "string") return null;
  return graphRecord("edges", line, ends, [["type", label], ...propertiesOf(properties, "type")]);
}

/** A property that is called as the column of labels or of types is told apart from it. */
function propertiesOf(properties: JsonObject, own: string): [name: string, value: string | null][] {
  return Object.entries(properties).map(([name, value]) => [
    name === own ? `${name} (attribute)` : name,
    value === null || typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

function objectIn(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
