import { AppError } from "@hopwise/contracts";

const spaceAndComments = /^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/|\()+/;

/** MySQL's `SELECT … INTO OUTFILE` writes a file beside the server, which no transaction keeps it from. */
const writesFile = /\b(?:outfile|dumpfile)\b/i;

/**
 * A query that is worth sending. That it only reads is seen to by the transaction it runs in; here it is said early.
 *
 * @throws AppError IMPORT_QUERY
 */
export function checkQuery(query: string): string {
  const [word = ""] = /^\w+/.exec(query.replace(spaceAndComments, "")) ?? [];
  const [file] = writesFile.exec(query) ?? [];
  if (file !== undefined)
    throw new AppError(
      "IMPORT_QUERY",
      `Found ${file.toUpperCase()}, which writes a file; expected a query that reads.`,
    );
  if (/^(?:select|with|values|table)$/i.test(word)) return query;
  const found = word === "" ? "nothing" : `${word.slice(0, 30).toUpperCase()} …`;
  throw new AppError(
    "IMPORT_QUERY",
    `Found ${found}, expected one statement that reads: SELECT …, WITH … SELECT, VALUES … or TABLE ….`,
  );
}
