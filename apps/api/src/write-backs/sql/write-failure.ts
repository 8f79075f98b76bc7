import { AppError, type ErrorCode } from "@hopwise/contracts";
import { HoldLost } from "../../holds/row-holds.ts";
import { SourceBroke } from "../../imports/open-source.ts";
import { failureOf } from "../../imports/sql/sql-failure.ts";

/** What imports say of addresses and credentials, as it is said of a write-back. */
const codes: Readonly<Record<string, ErrorCode>> = {
  IMPORT_ADDRESS: "WRITE_BACK_ADDRESS",
  IMPORT_REFUSED: "WRITE_BACK_REFUSED",
  IMPORT_NOT_FOUND: "WRITE_BACK_ADDRESS",
  IMPORT_SOURCE: "WRITE_BACK_DATABASE",
};

/** The database cannot be reached, or cannot go on now: that may pass. */
export class DatabaseBroke extends Error {
  override readonly name = "DatabaseBroke";
}

/** What a failure means: an AppError, HoldLost, or DatabaseBroke for what may pass. */
export function writeFailure(error: unknown, seconds: number): Error {
  if (error instanceof HoldLost || error instanceof DatabaseBroke) return error;
  const state = stateOf(error);
  if (state === "57014" || state === "25P03") return tookTooLong(seconds);
  if (state === "55P03")
    return new DatabaseBroke("Somebody else holds the table, or a row of it, and does not let it go.", {
      cause: error,
    });
  const failure = failureOf(error, seconds);
  if (failure instanceof SourceBroke)
    return new DatabaseBroke(`The database cannot be reached, or broke off: ${failure.said}`, { cause: error });
  if (state !== null && failure instanceof AppError && failure.problem.code === "IMPORT_QUERY")
    return refusal(error, state);
  return renamed(failure);
}

/** What is thrown by what imports have in common with write-backs, in the words of the latter. */
export function renamed(error: unknown): Error {
  if (!(error instanceof AppError)) return error instanceof Error ? error : new Error(String(error));
  const { code, detail, ...place } = error.problem;
  const own = codes[code];
  return own === undefined ? error : new AppError(own, detail, { cause: error, place });
}

export function tookTooLong(seconds: number): AppError {
  return new AppError(
    "WRITE_BACK_TIME_LIMIT",
    `The write-back was ended after ${seconds} s (HOPWISE_IMPORT_QUERY_SECONDS); the database is as it was. Write into a table without indexes, or have the limit raised.`,
  );
}

/** What to do about what the server says, by its code. */
const next: Readonly<Record<string, string>> = {
  "42501": "Grant the credential's user what the guide lists.",
  "3F000": "Create the schema first.",
  "42P10": "Give the table a primary key or a unique index of exactly these columns, or write with the mode replace.",
  "42P07": "Write once more: somebody has just made it.",
  "23502": "The table has columns without a default that the rows do not have.",
  "23505": "The table's unique columns and the rows do not go together.",
};

function refusal(error: unknown, state: string): AppError {
  const { message, where } = error as { readonly message: string; readonly where?: unknown };
  const place = typeof where === "string" ? ` (${where.split("\n")[0]?.slice(0, 200)})` : "";
  const said = `The database says: ${message.slice(0, 500)}${place}.`;
  return new AppError("WRITE_BACK_TABLE", next[state] === undefined ? said : `${said} ${next[state]}`, {
    cause: error,
  });
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; null: it is not the server's. */
function stateOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("severity" in error) || !("code" in error)) return null;
  return typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}
