import { AppError } from "@hopwise/contracts";
import type { AddressGuard } from "../requests/address-guard.ts";
import { at, type WantedFile } from "./import-row.ts";
import { nameInAddress, sourceUrl } from "./source-address.ts";
import { isDatabaseAddress } from "./sql/database-address.ts";

/**
 * The files of an import in which queries are asked of databases that are files. Such a file is fetched once, and each
 * query is kept beside it as `shop.orders.sql`: the worker that reads the files runs it.
 *
 * @param files with addresses of https alone, beside those of servers
 * @throws AppError IMPORT_ADDRESS, REQUEST_INVALID
 */
export function withQueriedFiles(files: readonly WantedFile[], guard: AddressGuard): readonly WantedFile[] {
  const queries = files.filter((file) => file.query !== undefined && !isDatabaseAddress(file.url));
  if (queries.length === 0) return files;
  const plain = files.filter((file) => !queries.includes(file));
  const fetched = new Map(plain.map((file) => [file.url, file]));
  const added: WantedFile[] = [];
  for (const file of queries) {
    const index = files.indexOf(file);
    requireTextAlone(file, index);
    const { url, credential } = file;
    if (!fetched.has(url)) {
      const database: WantedFile = { url, ...(credential !== undefined && { credential }) };
      fetched.set(url, database);
      added.push(database);
    }
    const address = at(`/files/${index}/url`, () => sourceUrl(url, guard));
    const database = fetched.get(url)?.name ?? nameInAddress(address);
    const name = (file.name ?? `query-${index + 1}`).replace(/\.(?:sql|jsonl)$/i, "");
    added.push({ ...file, name: `${database.replace(/\.\w+$/, "")}.${name}.sql` });
  }
  return [...plain, ...added];
}

/** @throws AppError REQUEST_INVALID */
function requireTextAlone({ sha256, prefix }: WantedFile, index: number): void {
  const place = { place: { pointer: `/files/${index}/${sha256 === undefined ? "query" : "sha256"}` } };
  if (sha256 !== undefined)
    throw new AppError(
      "REQUEST_INVALID",
      "A checksum is of the file that a query is asked of; name the file once more, with its sha256 and without a query.",
      place,
    );
  if (prefix !== undefined)
    throw new AppError(
      "REQUEST_INVALID",
      "A query is asked of one file, and this address means several; name the database that it is for.",
      place,
    );
}
