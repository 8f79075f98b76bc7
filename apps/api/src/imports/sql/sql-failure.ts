import { AppError } from "@hopwise/contracts";
import { ForbiddenAddress } from "../../requests/address-guard.ts";
import { SourceBroke } from "../open-source.ts";
import { refused } from "../source-address.ts";
import { RowsTooLarge } from "./guarded-socket.ts";

interface ServerError {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly severity?: unknown;
}

type Meaning = "refused" | "noDatabase" | "late" | "writes" | "passes" | "query";

/** What a failure of a database, or on the way to it, means: an AppError, or SourceBroke for what may pass. */
export function failureOf(error: unknown, querySeconds: number): Error {
  if (error instanceof AppError || error instanceof SourceBroke) return error;
  if (!(error instanceof Error)) return new SourceBroke(error);
  if (error instanceof ForbiddenAddress) return refused(error.message, error);
  if (error instanceof RowsTooLarge)
    return new AppError("IMPORT_QUERY", "A row of the answer is larger than 64 MiB, which is the most that is held.");
  const meaning = meaningOf(error as ServerError);
  if (meaning !== null) return meant(meaning, error, querySeconds);
  return encryptionFailure(error) ?? new SourceBroke(error);
}

function meant(meaning: Meaning, error: Error, querySeconds: number): Error {
  const said = error.message.slice(0, 500);
  switch (meaning) {
    case "refused":
      // The server's own words name the user, which is a part of the credential.
      return new AppError("IMPORT_REFUSED", "The database does not take the user and password of the credential.");
    case "noDatabase":
      return new AppError("IMPORT_NOT_FOUND", "The server has no such database. Check the address.");
    case "late":
      return tookTooLong(querySeconds);
    case "writes":
      return new AppError(
        "IMPORT_QUERY",
        `The query would change the database, and runs in a transaction that reads: ${said}`,
      );
    case "query":
      return new AppError("IMPORT_QUERY", `The database says: ${said}`);
    default:
      return new SourceBroke(error);
  }
}

export function tookTooLong(querySeconds: number): AppError {
  return new AppError(
    "IMPORT_QUERY",
    `The query was ended after ${querySeconds} s (HOPWISE_IMPORT_QUERY_SECONDS). Ask for fewer rows, or help it with an index.`,
  );
}

function meaningOf({ code, errno, sqlState, severity }: ServerError): Meaning | null {
  if (typeof errno === "number" && typeof sqlState === "string") return ofMysql(errno);
  if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined) return ofPostgres(code);
  return null;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function ofPostgres(state: string): Meaning {
  if (state.startsWith("28")) return "refused";
  if (state === "3D000") return "noDatabase";
  if (state === "57014") return "late";
  if (state === "25006") return "writes";
  return /^(?:08|40|53|55|57P|58|XX)/.test(state) ? "passes" : "query";
}

/** https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html and MariaDB's own above 1900 */
function ofMysql(errno: number): Meaning {
  if ([1045, 1698, 1862, 3118].includes(errno)) return "refused";
  if (errno === 1049 || errno === 1044) return "noDatabase";
  if ([1317, 1969, 3024].includes(errno)) return "late";
  if ([1290, 1792].includes(errno)) return "writes";
  return [1040, 1053, 1129, 1152, 1158, 1159, 1160, 1161, 1203, 1205, 1213].includes(errno) ? "passes" : "query";
}

/** A connection that would not be encrypted, or to somebody else: no further try helps. */
function encryptionFailure(error: Error): AppError | null {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const isNone = code === "HANDSHAKE_NO_SSL_SUPPORT" || /does not support SSL/i.test(error.message);
  if (isNone)
    return new AppError(
      "IMPORT_SOURCE",
      "The server does not encrypt connections. Turn TLS on there; in a network that the operator names, sslmode=disable goes without.",
    );
  const found = certificateFault(error, code);
  if (found === null) return null;
  return new AppError(
    "IMPORT_SOURCE",
    `The server's certificate is not trusted (${found}). Its authority is made known with NODE_EXTRA_CA_CERTS on the API.`,
    { cause: error },
  );
}

/** What is wrong with a certificate; null: nothing is, as far as the error says. */
function certificateFault({ message }: Error, code: string): string | null {
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return code;
  // The client of MySQL puts this code in place of that of Node, whose words it leaves.
  const isOfCertificate = code === "HANDSHAKE_SSL_ERROR" && /certificate|signature|issuer/i.test(message);
  return isOfCertificate ? message.slice(0, 200) : null;
}
