import { limits, type WorkerLogLine } from "@hopwise/contracts";
import type { Redaction } from "./redaction.ts";

/** Levels of pino; what is above `error` ends the process, and says so. */
const levels: Readonly<Record<number, WorkerLogLine["level"]>> = { 10: "debug", 20: "debug", 30: "info", 40: "warn" };

/** Characters of a message, and of all fields together: the line as a whole stays below `limits.workerLogLine`. */
const longestPart = limits.workerLogLine / 4;

/** What every line of a worker says: nothing that its reader does not know. */
const known = new Set(["level", "time", "msg", "pid", "hostname", "service", "workerId"]);

/**
 * A line of pino's as it is sent: without secrets, with fields of one level, and cut where it is too long.
 *
 * @returns null for what is no line of pino's
 */
export function logLineOf(line: string, cursor: number, redaction: Redaction): WorkerLogLine | null {
  const parsed = parse(line);
  if (parsed === null) return null;
  const { time, level, msg, err } = parsed;
  const message = typeof msg === "string" ? msg : messageOf(err);
  return {
    cursor,
    at: new Date(typeof time === "number" ? time : Date.now()).toISOString(),
    level: levels[Number(level)] ?? "error",
    message: cut(redaction.clean(message), longestPart),
    fields: fieldsOf(parsed, redaction),
  };
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}

function fieldsOf(parsed: Record<string, unknown>, redaction: Redaction): WorkerLogLine["fields"] {
  const fields: WorkerLogLine["fields"] = {};
  let room = longestPart;
  for (const [name, value] of Object.entries(parsed)) {
    if (known.has(name) || name.length > 100 || room <= 0) continue;
    const isPlain = typeof value === "number" || typeof value === "boolean" || value === null;
    const shown = isPlain ? value : cut(redaction.clean(textOf(value)), room);
    fields[name] = shown;
    room -= name.length + String(shown).length;
  }
  return fields;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} …`;
}
