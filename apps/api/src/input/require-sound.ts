import { AppError, limits, type ProblemPlace } from "@hopwise/contracts";

/**
 * Returns a value from outside when everything that stores or walks it can take it.
 *
 * @throws AppError REQUEST_INVALID with the pointer of what cannot be taken: a text with the character U+0000 or half a
 * surrogate pair, which PostgreSQL refuses; a name that would reach an object's prototype; more levels or values than a
 * body may have, which aliases of YAML make of few
 */
export function requireSound(value: unknown): unknown {
  const found = objectionTo(value);
  if (found)
    throw new AppError("REQUEST_INVALID", `The body${found.pointer && ` at ${found.pointer}`} ${found.why}.`, {
      place: { pointer: found.pointer },
    });
  return value;
}

/** Checks the parts of an address in the same way, which are texts or lists of texts by name. */
export function requireSoundNames(what: string, values: unknown): void {
  const found = objectionTo(values);
  if (!found) return;
  const place: ProblemPlace = { field: found.pointer.slice(1) };
  throw new AppError("REQUEST_INVALID", `${what} "${place.field}" ${found.why}.`, { place });
}

export interface Objection {
  /** JSON pointer; "" is the value itself. */
  readonly pointer: string;
  readonly why: string;
}

/** The first thing in a value that cannot be taken; null when there is none. */
export function objectionTo(value: unknown): Objection | null {
  return visit(value, [], { values: 0 });
}

function visit(value: unknown, path: readonly string[], count: { values: number }): Objection | null {
  if (++count.values > limits.bodyValues) return at(path, `has more than ${limits.bodyValues} values`);
  if (typeof value === "string") return isStorable(value) ? null : at(path, unstorable);
  if (typeof value !== "object" || value === null) return null;
  if (path.length >= limits.bodyDepth) return at(path, `is nested deeper than ${limits.bodyDepth} levels`);
  for (const [name, inner] of Object.entries(value)) {
    const inside = [...path, name];
    if (!isStorable(name)) return at(inside, unstorable);
    if (name === "__proto__" || reachesPrototype(name, inner)) return at(inside, "has a name that no object may have");
    const found = visit(inner, inside, count);
    if (found) return found;
  }
  return null;
}

const unstorable = "has a character that no text may have: U+0000 or half of a surrogate pair";

function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

function reachesPrototype(name: string, inner: unknown): boolean {
  return name === "constructor" && typeof inner === "object" && inner !== null && Object.hasOwn(inner, "prototype");
}

/** A pointer as RFC 6901 writes it, its own characters shown by their escapes so that the answer can be printed. */
function at(path: readonly string[], why: string): Objection {
  const pointer = path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { pointer: pointer.replaceAll(/\0|\p{Surrogate}/gu, escaped).slice(0, 500), why };
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
