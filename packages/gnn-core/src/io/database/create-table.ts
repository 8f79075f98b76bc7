/** A column as CREATE TABLE declares it. */
export interface DeclaredColumn {
  readonly name: string;
  readonly type: string;
  /** Computed where it is asked for, and stored nowhere */
  readonly isVirtual: boolean;
  /** What rows of before the column have in it; null: nothing, or what only SQL would tell */
  readonly initially: string | null;
}

export interface DeclaredKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty: those of the primary key */
  readonly targetColumns: readonly string[];
}

export interface DeclaredTable {
  readonly columns: readonly DeclaredColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly DeclaredKey[];
  /** The column that is another name of a row's number, and is not stored; null: there is none */
  readonly rowidColumn: string | null;
  readonly hasRowid: boolean;
}

const token =
  /\s+|--[^\n]*|\/\*[^]*?\*\/|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|'((?:[^']|'')*)'|([^\s,()"'`[]+)|([,()])/y;

interface Token {
  readonly text: string;
  readonly kind: "name" | "text" | "word" | "sign";
}

/** Reads a statement CREATE TABLE as it is kept in the schema; null: it is not understood. */
export function parseCreateTable(sql: string): DeclaredTable | null {
  const tokens = tokensOf(sql);
  if (tokens === null) return null;
  const first = tokens.findIndex(({ kind, text }) => kind === "sign" && text === "(");
  if (first < 0) return null;
  const parts = partsOf(tokens.slice(first + 1));
  if (parts === null) return null;
  const columns: DeclaredColumn[] = [];
  const foreignKeys: DeclaredKey[] = [];
  let primaryKey: readonly string[] = [];
  let isDescending = false;
  for (const part of parts.inner) {
    const constraint = constraintOf(part);
    if (constraint === null) {
      const name = part[0]!.text;
      columns.push(columnOf(name, part));
      if (hasWords(part, "PRIMARY", "KEY")) {
        primaryKey = [name];
        isDescending = hasWords(part, "KEY", "DESC");
      }
    } else if (is(constraint[0], "PRIMARY")) primaryKey = namesAfter(constraint, 0);
    const at = (constraint ?? part).findIndex((one) => is(one, "REFERENCES"));
    const own = constraint === null ? [part[0]!.text] : namesAfter(constraint, 0);
    const source = constraint ?? part;
    if (at >= 0 && source[at + 1])
      foreignKeys.push({ columns: own, table: source[at + 1]!.text, targetColumns: namesAfter(source, at) });
  }
  const rest = parts.rest.map(({ text }) => text.toUpperCase()).join(" ");
  const key = columns.find(({ name }) => primaryKey.length === 1 && same(name, primaryKey[0]!));
  const isAlias = key !== undefined && key.type.toUpperCase() === "INTEGER" && !isDescending;
  return {
    columns,
    primaryKey,
    foreignKeys,
    rowidColumn: isAlias ? key.name : null,
    hasRowid: !/WITHOUT ROWID/.test(rest),
  };
}

/** Names of SQL do not tell small letters from capitals. */
export function same(first: string, second: string): boolean {
  return first.toLowerCase() === second.toLowerCase();
}

function tokensOf(sql: string): Token[] | null {
  const found: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < sql.length) {
    const match = token.exec(sql);
    if (!match) return null;
    const [, quoted, ticked, bracketed, text, word, sign] = match;
    const name = quoted?.replaceAll('""', '"') ?? ticked?.replaceAll("``", "`") ?? bracketed;
    if (name !== undefined) found.push({ text: name, kind: "name" });
    else if (text !== undefined) found.push({ text: text.replaceAll("''", "'"), kind: "text" });
    else if (word !== undefined) found.push({ text: word, kind: "word" });
    else if (sign !== undefined) found.push({ text: sign, kind: "sign" });
  }
  return found;
}

/** What stands between the commas of the outer brackets, and what follows these. */
function partsOf(tokens: readonly Token[]): { readonly inner: Token[][]; readonly rest: Token[] } | null {
  const inner: Token[][] = [[]];
  let depth = 0;
  for (const [i, one] of tokens.entries()) {
    const sign = one.kind === "sign" ? one.text : "";
    if (sign === ")" && depth === 0)
      return { inner: inner.filter(({ length }) => length > 0), rest: tokens.slice(i + 1) };
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === "," && depth === 0) inner.push([]);
    else inner.at(-1)!.push(one);
  }
  return null;
}

const constraints = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

/** Without its name; null: the part declares a column. */
function constraintOf(part: readonly Token[]): readonly Token[] | null {
  const body = is(part[0], "CONSTRAINT") ? part.slice(2) : part;
  return body[0]?.kind === "word" && constraints.includes(body[0].text.toUpperCase()) ? body : null;
}

const behindType = /^(CONSTRAINT|PRIMARY|NOT|NULL|UNIQUE|CHECK|DEFAULT|COLLATE|REFERENCES|GENERATED|AS)$/i;

function columnOf(name: string, part: readonly Token[]): DeclaredColumn {
  const end = part.findIndex(({ kind, text }, i) => i > 0 && kind === "word" && behindType.test(text));
  const type = part.slice(1, end < 0 ? undefined : end);
  const rest = part.slice(1);
  const isGenerated = rest.some((one, i) => is(one, "AS") && rest[i + 1]?.text === "(");
  const place = rest.findIndex((one) => is(one, "DEFAULT"));
  const value = place < 0 ? undefined : rest[place + 1];
  const isLiteral = value !== undefined && (value.kind === "text" || /^[+-]?[\d.]/.test(value.text));
  return {
    name,
    type: type.map(({ text }) => text).join(" "),
    isVirtual: isGenerated && !rest.some((one) => is(one, "STORED")),
    initially: isLiteral ? value.text : null,
  };
}

function is(one: Token | undefined, word: string): boolean {
  return one?.kind === "word" && one.text.toUpperCase() === word;
}

function hasWords(part: readonly Token[], first: string, second: string): boolean {
  return part.some((one, i) => is(one, first) && is(part[i + 1], second));
}

/** The names in the first brackets from a place on; an order behind one is passed over. */
function namesAfter(tokens: readonly Token[], from: number): string[] {
  const start = tokens.findIndex(({ kind, text }, i) => i >= from && kind === "sign" && text === "(");
  if (start < 0) return [];
  // REFERENCES users ON DELETE … has none, and brackets of a CHECK that follows are not its.
  if (is(tokens[from], "REFERENCES") && start !== from + 2) return [];
  const end = tokens.findIndex(({ kind, text }, i) => i > start && kind === "sign" && text === ")");
  const names: string[] = [];
  for (let i = start + 1; i < end; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === "sign" || (i > start + 1 && tokens[i - 1]!.text !== ",")) continue;
    names.push(text);
  }
  return names;
}
