import { keyName, leadRank, limits, maxSeq, type StageKey, type WorkerEvent, workerEvent } from "@hopwise/contracts";

/** An entry of a slice's stream, not yet read: a worker wrote it, so nothing in it is taken for granted. */
export interface StreamEntry {
  /** Its id, which Redis makes larger with every entry. */
  readonly id: string;
  /** The event's number, from the id; null when the id cannot be one's. */
  readonly seq: number | null;
  /** The type that the event's body is said to have: good for what is only about haste. */
  readonly type: string;
  /** Empty when it is longer than an event may be. */
  readonly json: string;
}

export type RawEntry = [id: string, fields: string[] | null];

export function entryOf([id, fields]: RawEntry): StreamEntry {
  const [, digits] = /^([1-9]\d{0,9})-0$/.exec(id) ?? [];
  const seq = digits !== undefined && Number(digits) <= maxSeq ? Number(digits) : null;
  const json = fieldOf(fields, "event");
  return { id, seq, type: fieldOf(fields, "type"), json: json.length > limits.eventCharacters ? "" : json };
}

/**
 * The event of an entry with a number. One that cannot be read, or that belongs elsewhere, becomes a line of the job's
 * log: its number must not be missing, or all that follows would wait for it.
 */
export function eventOf(entry: StreamEntry & { readonly seq: number }, key: StageKey): WorkerEvent {
  const found = parse(entry.json);
  if (found && found.seq === entry.seq && keyName(found) === keyName(key)) return found;
  return noteOf(key, entry.seq, `Event ${entry.seq} of this stage could not be read and was left out.`);
}

/** A line of the job's log in place of what was not read. */
export function noteOf(key: StageKey, seq: number, message: string): WorkerEvent {
  const { jobId, attempt, stageIndex, slice } = key;
  const event = { type: "log", level: "warn", member: leadRank, message } as const;
  const at = new Date().toISOString();
  return { contract: 0, jobId, attempt, stageIndex, slice, seq, at, body: { type: "step", event } };
}

function parse(json: string): WorkerEvent | null {
  try {
    // Text of JSON that no database takes can only be written with \u.
    const parsed = workerEvent.safeParse(json.includes("\\u") ? JSON.parse(json, storable) : JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Strings without NUL characters and halves of characters. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === "string" ? value.replace(/[\0\p{Surrogate}]/gu, "\ufffd") : value;
}

function fieldOf(fields: readonly string[] | null, name: string): string {
  for (let i = 0; i + 1 < (fields?.length ?? 0); i += 2) if (fields?.[i] === name) return fields[i + 1] ?? "";
  return "";
}
