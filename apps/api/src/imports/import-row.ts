import { AppError, type ImportRequest } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import { checkFileName } from "../datasets/upload-files.ts";
import type { Services } from "../services.ts";
import { isOfDatabase } from "./credential-header.ts";
import { nameInAddress, shownAddress, sourceUrl } from "./source-address.ts";
import { openCredential } from "./source-credentials.ts";
import { type DatabaseAddress, databaseAddress, databaseUrl, isDatabaseAddress } from "./sql/database-address.ts";
import { loginOf } from "./sql/open-session.ts";
import { checkQuery } from "./sql/query-objection.ts";
import { prefixPurpose, urlPurpose } from "./url-purpose.ts";

/** A file as an import asks for it: at an address, or as the answer of a query. */
export type WantedFile = NonNullable<ImportRequest["files"]>[number] & {
  /** The s3:// address below which it was found, if its own was not named. */
  readonly prefix?: string;
};

/**
 * What is stored of a file that is to be fetched, and the database that it comes from; null: it is no query's.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_QUERY, DATASET_FILE_NAME, REQUEST_INVALID, each with its place
 */
export function importRow(services: Services, file: WantedFile, index: number) {
  const { database, ...row } = isDatabaseAddress(file.url)
    ? queryRow(services, file, index)
    : fileRow(services, file, index);
  const { credential, sha256, prefix } = file;
  const expectedSha256 = sha256?.toLowerCase() ?? null;
  const sealedPrefix = prefix === undefined ? null : services.imports.sealer.seal(prefix, prefixPurpose(row.id));
  return { row: { ...row, index, credential: credential ?? null, expectedSha256, sealedPrefix }, database };
}

function queryRow({ imports }: Services, { url, name, query, sha256 }: WantedFile, index: number) {
  const id = newId("impf");
  const database = at(`/files/${index}/url`, () => databaseAddress(url, imports.guard));
  if (query === undefined)
    throw new AppError("IMPORT_QUERY", "The address is a database's, and there is no query; give one that reads.", {
      place: { pointer: `/files/${index}/query` },
    });
  if (sha256 !== undefined)
    throw new AppError("REQUEST_INVALID", "The answer of a query has no checksum that is known before.", {
      place: { pointer: `/files/${index}/sha256` },
    });
  const source = databaseUrl(database);
  return {
    id,
    name: at(`/files/${index}/name`, () => queryFileName(name ?? (index === 0 ? "query" : `query-${index + 1}`))),
    source,
    query: at(`/files/${index}/query`, () => checkQuery(query)),
    rowsDone: 0n,
    sealedUrl: imports.sealer.seal(source, urlPurpose(id)),
    database,
  };
}

/** Rows are kept as JSON lines, whatever the file is called. */
function queryFileName(name: string): string {
  const [, ending = null] = /\.(\w{1,8})$/.exec(name) ?? [];
  if (ending !== null && ending !== "jsonl")
    throw new AppError("DATASET_FILE_NAME", `Rows of a query become JSON lines; found .${ending}, expected .jsonl.`);
  return checkFileName(ending === null ? `${name}.jsonl` : name);
}

function fileRow({ imports }: Services, { url: text, name, query }: WantedFile, index: number) {
  const id = newId("impf");
  const url = at(`/files/${index}/url`, () => sourceUrl(text, imports.guard));
  const called = at(`/files/${index}/name`, () => checkFileName(name ?? nameInAddress(url)));
  return {
    id,
    name: called,
    source: shownAddress(url),
    // Asked where the file is read: the text is kept as a file of its own.
    query: query ?? null,
    sealedUrl: imports.sealer.seal(url.href, urlPurpose(id)),
    database: null,
  };
}

/** Adds the place in the request to what is thrown. */
export function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw placed(error, pointer);
  }
}

/** What was thrown, with its place in the request. */
export function placed(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, detail, file } = error.problem;
  return new AppError(code as "IMPORT_ADDRESS", detail, { cause: error, place: { pointer, file } });
}

/** @throws AppError IMPORT_REFUSED, CREDENTIAL_UNREADABLE */
export async function requireCredential(
  services: Services,
  projectId: string,
  name: string | null,
  index: number,
  database: DatabaseAddress | null = null,
): Promise<void> {
  if (name === null && database === null) return;
  try {
    const credential = name === null ? null : await openCredential(services, projectId, name);
    if (database !== null) loginOf({ address: database, credential });
    else if (credential !== null && isOfDatabase(credential.kind))
      throw new AppError("IMPORT_REFUSED", `The credential "${name}" is for databases, and this address is a file's.`);
  } catch (error) {
    throw placed(error, `/files/${index}/credential`);
  }
}

/** @throws AppError REQUEST_CONFLICT */
export function requireDifferentNames(rows: readonly { readonly name: string }[]): void {
  const twice = rows.find(({ name }, i) => rows.findIndex((other) => other.name === name) < i);
  if (!twice) return;
  throw new AppError("REQUEST_CONFLICT", `Two files would be called "${twice.name}"; give one of them another name.`, {
    place: { file: twice.name },
  });
}
