const key = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*:\s*/y;
const text = /(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*/y;
const plain = /([^\s,{}[\]()'"]+)\s*/y;
const opening = /[[({]/y;
const next = /(,|\})\s*/y;

/**
 * The entries of a dict as Python prints it: texts without their quotes, numbers as they are written, None as null. A
 * list or dict within stays as it is written.
 *
 * @returns null: it is none
 */
export function parsePythonDict(written: string): readonly (readonly [string, string | null])[] | null {
  const found: [string, string | null][] = [];
  const reading = new Reading(written);
  if (!written.startsWith("{")) return null;
  reading.at = 1;
  if (/^\{\s*\}$/.test(written)) return found;
  for (;;) {
    const name = reading.take(key);
    if (!name) return null;
    const value = reading.value();
    if (value === undefined) return null;
    found.push([unescaped(name[1] ?? name[2]!), value]);
    const [, sign] = reading.take(next) ?? [];
    if (sign === "}") return reading.at === written.length ? found : null;
    if (sign === undefined) return null;
  }
}

class Reading {
  at = 0;
  readonly #written: string;

  constructor(written: string) {
    this.#written = written;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#written);
    if (found) this.at = pattern.lastIndex;
    return found;
  }

  /** Undefined: there is none. */
  value(): string | null | undefined {
    const quoted = this.take(text);
    if (quoted) return unescaped(quoted[1] ?? quoted[2]!);
    opening.lastIndex = this.at;
    if (opening.test(this.#written)) return this.#nested();
    const word = this.take(plain)?.[1];
    return word === "None" || word === "null" ? null : word;
  }

  #nested(): string | undefined {
    const from = this.at;
    let depth = 0;
    while (this.at < this.#written.length) {
      if (this.take(text)) continue;
      const sign = this.#written[this.at++]!;
      if ("[({".includes(sign)) depth++;
      if ("])}".includes(sign) && --depth === 0) return this.#written.slice(from, this.at);
    }
    return undefined;
  }
}

function unescaped(quoted: string): string {
  return quoted.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi, (_, short, long, sign) => {
    const code = short ?? long;
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(String(code), 16));
    return ({ n: "\n", t: "\t", r: "\r" } as Record<string, string>)[String(sign)] ?? String(sign);
  });
}
