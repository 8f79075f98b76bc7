import { GnnError } from "../../errors/gnn-error.ts";
import { readHead } from "../text-file.ts";

/** An object on each line, or all objects in one array. */
export type JsonLayout = "lines" | "array";

/** @throws GnnError DATASET_FORMAT_INVALID when the beginning is neither */
export async function layoutOf(path: string, compression: "none" | "gzip", name: string): Promise<JsonLayout> {
  const { text } = await readHead(path, compression, name);
  const layout = layoutOfText(text, name);
  if (layout) return layout;
  const message = `${name} holds no JSON records: expected an object on each line, or one array of objects.`;
  throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name, line: 1 } });
}

/**
 * What the beginning of a JSON text says of its layout. Null for one object alone, on one line or several, as exchange
 * formats of graphs have it, and for an array of anything else than objects. Of one object on one line a name that
 * promises JSON lines is believed.
 */
export function layoutOfText(text: string, name = ""): JsonLayout | null {
  const start = text.replace(/^\ufeff/, "").trimStart();
  if (start.startsWith("[")) return /^\[\s*\{/.test(start) ? "array" : null;
  const [first = "", second] = start.split(/[\r\n]+/, 2);
  const isOfLines = second?.trim() || /\.(jsonl|ndjson)(\.gz)?$/i.test(name);
  return isObject(first) && isOfLines ? "lines" : null;
}

/** Whether a line is one whole object. */
export function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
