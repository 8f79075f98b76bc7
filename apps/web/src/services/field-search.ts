import { humanize } from "./format.ts";
import { type JsonSchema, shapeOf } from "./json-schema.ts";
import { optionText } from "./option-words.ts";

/** Whether a field itself says every word that is searched for: in its label, its help or its choices. */
export function saysIt(name: string, schema: JsonSchema, search: string): boolean {
  const shape = shapeOf(schema);
  const options =
    shape.kind === "select" ? shape.options : shape.kind === "variants" ? Object.keys(shape.variants) : [];
  return hasWords([schema.title ?? humanize(name), name, schema.description, ...options.map(optionText)], search);
}

/** Whether a field, or one inside it, is searched for. */
export function isFound(name: string, schema: JsonSchema, search: string): boolean {
  return saysIt(name, schema, search) || childrenOf(schema).some(([child, inner]) => isFound(child, inner, search));
}

/** Whether some texts together have every word that is searched for, at least as a beginning of their own words. */
export function hasWords(texts: readonly (string | null | undefined)[], search: string): boolean {
  const whole = texts.filter(Boolean).join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

function childrenOf(schema: JsonSchema): [string, JsonSchema][] {
  const shape = shapeOf(schema);
  if (shape.kind === "object") return Object.entries(shape.properties);
  if (shape.kind === "literalOr") return childrenOf(shape.other);
  if (shape.kind === "variants") return Object.values(shape.variants).flatMap(childrenOf);
  return [];
}

/** Whether a field, or one inside it, shows an error. */
export function hasErrorIn(errors: ReadonlyMap<string, string>, pointer: string): boolean {
  return [...errors.keys()].some((one) => one === pointer || one.startsWith(`${pointer}/`));
}
