import { type JsonSchema, rangeOf } from "./json-schema.ts";

/** What the text of a field says, or why it says nothing yet. */
export type FieldText = { readonly value: unknown } | { readonly problem: string };

/** A number as people type it, `1e-4` too; nothing typed means that nothing is set. */
export function parseNumber(text: string, schema: JsonSchema, integer: boolean): FieldText {
  const typed = text.trim();
  if (typed === "") return { value: undefined };
  const value = Number(typed);
  if (!Number.isFinite(value)) {
    const example = integer ? "100" : typed.includes(",") ? typed.replace(",", ".") : "0.05 or 5e-2";
    return { problem: `"${typed}" is no number; write for example ${example}.` };
  }
  if (integer && !Number.isInteger(value)) return { problem: `Found ${typed}, expected a whole number.` };
  if (!isInRange(value, schema)) return { problem: `Found ${typed}, expected ${rangeOf(schema)}.` };
  return { value };
}

function isInRange(value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): boolean {
  return (
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY) &&
    value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value < (exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  );
}

/** Values with commas or blanks between them. */
export function parseList(text: string, isNumbers: boolean): FieldText {
  const parts = text.split(/[,\s]+/).filter((part) => part !== "");
  if (!isNumbers) return { value: parts };
  const numbers = parts.map(Number);
  return numbers.every(Number.isFinite) ? { value: numbers } : { problem: "Numbers, with commas between them: 15, 10" };
}

/** Names and their texts, `gpu=a100, zone=b`, as an object. */
export function parseRecord(text: string): FieldText {
  const parts = text.split(",").map((part) => part.trim());
  const pairs = parts.filter((part) => part !== "").map((part) => /^([^=\s]+)\s*=\s*(.*)$/.exec(part));
  const bad = pairs.findIndex((pair) => pair === null);
  if (bad >= 0) return { problem: 'A name, "=", and a text, with commas between them: gpu=a100, zone=b' };
  if (pairs.length === 0) return { value: undefined };
  return { value: Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1], pair[2]]] : []))) };
}

/** An object of texts as `parseRecord` reads it. */
export function formatRecord(value: unknown): string {
  return Object.entries((value ?? {}) as Readonly<Record<string, unknown>>)
    .map(([name, text]) => `${name}=${String(text)}`)
    .join(", ");
}

export function parseJson(text: string): FieldText {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "This is not JSON yet" };
  }
}

/** One press of an arrow key changes the first digit: 0.003 goes by 0.001, and from 0.001 down by 0.0001. */
export function stepped(value: number, direction: 1 | -1, integer: boolean): number {
  if (integer) return value + direction;
  const size = value === 0 ? 0.1 : 10 ** Math.floor(Math.log10(Math.abs(value)));
  const step = Math.sign(value) === -direction && Math.abs(value) <= size ? size / 10 : size;
  return Number((value + direction * step).toPrecision(12));
}
