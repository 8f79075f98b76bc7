import type { SqlBatch, SqlColumn, SqlKind } from "./sql-session.ts";

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Readers of JSON hold whole numbers of so many digits exactly, and fractions of these. */
const wholeDigits = 18;
const exactDigits = 15;

/** The rows of an answer as JSON lines, an object each, with every column in every row. */
export function jsonLines({ columns, rows }: SqlBatch): string {
  const keys = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  const kinds = columns.map(({ kind }) => kind);
  return rows.map((row) => `{${row.map((value, i) => keys[i]! + jsonOf(value, kinds[i]!)).join(",")}}\n`).join("");
}

/** Why an answer cannot be kept as rows of named columns; null: it can. */
export function columnsObjection(columns: readonly SqlColumn[]): string | null {
  if (columns.length === 0) return "The statement gives no rows; expected a query, such as SELECT id, name FROM users.";
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return null;
  return `Two columns of the query are called "${twice.slice(0, 80)}"; give one of them another name with AS.`;
}

function jsonOf(text: string | null, kind: SqlKind): string {
  if (text === null) return "null";
  if (kind === "number") return numberOf(text);
  if (kind === "boolean") return text === "t" ? "true" : "false";
  // Line ends stand between the parts of JSON only: inside of its texts they are escaped.
  if (kind === "json") return text.replaceAll(/[\r\n]+/g, " ");
  return kind === "array" ? arrayOf(text) : JSON.stringify(text);
}

/** Digit for digit; as a text where a reader of JSON numbers would lose some, and null where it is none. */
function numberOf(text: string): string {
  if (text === "NaN") return "null";
  if (!number.test(text)) return JSON.stringify(text);
  const isWhole = /^-?\d+$/.test(text);
  const digits = text.replace(/e.*$/i, "").replaceAll(/\D/g, "").replace(/^0+/, "").length;
  if (isWhole) return digits <= wholeDigits ? text : JSON.stringify(text);
  return digits <= exactDigits || Number(text).toString().length >= text.length ? text : JSON.stringify(text);
}

/** `{1,2,NULL}` of PostgreSQL as `[1,2,null]`. */
function arrayOf(text: string): string {
  // An array that does not count from 1 says so before it.
  const values = text.replace(/^[^{]*=/, "");
  return values
    .replaceAll("{", "[")
    .replaceAll("}", "]")
    .replaceAll(/NULL|NaN/g, "null")
    .replaceAll(/-?Infinity/g, '"$&"');
}
