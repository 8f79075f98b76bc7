export type JsonObject = Readonly<Record<string, unknown>>;

export const directionNames = ["directed", "undirected"];

/** Whether an edge says of itself that it has a direction, as the JSON Graph Format and graphology let it. */
export function directionOf(edge: JsonObject): boolean | undefined {
  if (typeof edge["directed"] === "boolean") return edge["directed"];
  return typeof edge["undirected"] === "boolean" ? !edge["undirected"] : undefined;
}

/** vis.js calls the ends of edges otherwise than all the others. */
export function namesOfEnds(edge: JsonObject | null): readonly [src: string, dst: string] {
  const isOfVis = edge !== null && edge["source"] === undefined && edge["from"] !== undefined;
  return isOfVis ? ["from", "to"] : ["source", "target"];
}

/** Attributes of one level down count as the element's own: `attributes` of graphology, `metadata` of JSON Graph. */
export function* attributesOf(element: JsonObject, ends: readonly string[]): Iterable<[string, string | null]> {
  for (const [name, value] of Object.entries(element)) {
    if (ends.includes(name)) continue;
    if ((name === "attributes" || name === "metadata") && isObject(value)) yield* attributesOf(value, ends);
    else yield [name, textOf(value)];
  }
}

/** A value of JSON as the text of a cell; null: it is none. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
