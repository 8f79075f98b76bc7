import { GnnError } from "../../errors/gnn-error.ts";

/** A key of the object and what its list holds */
export interface ListEntry {
  readonly key: string;
  readonly items: readonly (string | number | boolean | null)[];
}

type State = "start" | "firstKey" | "key" | "inKey" | "colon" | "value" | "inValue" | "behind" | "end";

const blank = /^[\s\ufeff]$/;

/**
 * The entries of one JSON object whose members are lists, one after the other, of a text that comes in pieces: only the
 * entry that is being read is held.
 *
 *   {"0": [12, 55], "1": []}  →  0: 12, 55 · 1: none
 */
export class ListEntries {
  readonly #file: string;
  #state: State = "start";
  #numEntries = 0;
  /** What has been read of the key, or of the list */
  #held: string[] = [];
  #key = "";
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether the object has come to its end */
  get isEnded(): boolean {
    return this.#state === "end";
  }

  /** @throws GnnError DATASET_ROW_INVALID of an entry that is no list of texts and numbers, or is damaged */
  *read(piece: string): Iterable<ListEntry> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!;
      if (this.#state === "inKey" || this.#state === "inValue") {
        if (!this.#isOver(char)) continue;
        this.#held.push(piece.slice(from, at + 1));
        const text = this.#held.join("");
        this.#held = [];
        if (this.#state === "inKey") {
          this.#key = this.#keyOf(text);
          this.#state = "colon";
          continue;
        }
        this.#state = "behind";
        this.#numEntries++;
        yield { key: this.#key, items: this.#itemsOf(text) };
        continue;
      }
      if (blank.test(char)) continue;
      this.#state = this.#next(char);
      if (this.#state === "inKey" || this.#state === "inValue") from = at;
    }
    if (this.#state === "inKey" || this.#state === "inValue") this.#held.push(piece.slice(from));
  }

  /** The state behind a sign outside of keys and lists. */
  #next(char: string): State {
    const state = this.#state;
    if (state === "start" && char === "{") return "firstKey";
    if ((state === "firstKey" || state === "behind") && char === "}") return "end";
    if (state === "behind" && char === ",") return "key";
    if ((state === "firstKey" || state === "key") && char === '"') {
      this.#isInText = true;
      return "inKey";
    }
    if (state === "colon" && char === ":") return "value";
    if (state === "value" && char === "[") {
      this.#depth = 1;
      return "inValue";
    }
    if (state === "value") throw this.#damaged("its value is no list; expected a list of numbers or of texts");
    throw this.#damaged(`found ${JSON.stringify(char)} where ${expected[state]} was expected`);
  }

  /** Whether the key or the list ends with this sign. */
  #isOver(char: string): boolean {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === "\\") this.#isEscaped = true;
      else if (char === '"') {
        this.#isInText = false;
        return this.#state === "inKey";
      }
      return false;
    }
    if (char === '"') this.#isInText = true;
    else if (char === "[" || char === "{") this.#depth++;
    else if ((char === "]" || char === "}") && --this.#depth === 0) return true;
    return false;
  }

  #keyOf(text: string): string {
    const key: unknown = parsed(text);
    if (typeof key !== "string") throw this.#damaged(`its key ${text.slice(0, 80)} is no text of JSON`);
    return key;
  }

  #itemsOf(text: string): ListEntry["items"] {
    const items: unknown = parsed(text);
    if (!Array.isArray(items)) throw this.#damaged(`its list is damaged: ${text.slice(0, 80)}`);
    const odd: unknown = items.find((item) => typeof item === "object" && item !== null);
    if (odd !== undefined)
      throw this.#damaged(`its list holds ${JSON.stringify(odd).slice(0, 80)}; expected numbers or texts`);
    const rounded: unknown = items.find((item) => typeof item === "number" && Math.abs(item) > Number.MAX_SAFE_INTEGER);
    if (rounded !== undefined) throw this.#damaged(`${JSON.stringify(rounded)} has more digits than JSON readers keep`);
    return items as ListEntry["items"];
  }

  #damaged(found: string): GnnError {
    const entry = this.#numEntries + (this.#state === "behind" && this.#key !== "" ? 0 : 1);
    const key = this.#state === "value" || this.#state === "behind" ? ` (${JSON.stringify(this.#key)})` : "";
    const message = `${this.#file}, entry ${entry}${key}: ${found}.`;
    return new GnnError("DATASET_ROW_INVALID", message, { place: { file: this.#file, line: entry } });
  }
}

const expected: Readonly<Record<State, string>> = {
  start: "an object",
  firstKey: "a key in quotes",
  key: "a key in quotes",
  inKey: "a key",
  colon: "a colon",
  value: "a list",
  inValue: "a list",
  behind: "a comma or the end",
  end: "nothing more",
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
