import { createHash } from "node:crypto";
import type { ImportFile } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { partsOf } from "./fetch.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { openSource } from "./open-source.ts";
import { sourceUrl } from "./source-address.ts";
import { openCredential } from "./source-credentials.ts";
import { validatorOf } from "./source-range.ts";
import { urlPurpose } from "./url-purpose.ts";
/** The import that a run of a schedule is held against; null: there is none, or it brought nothing. */
export async function comparedWith(
  { prisma }: Services,
  { comparedWithId: id, adds }: ImportWithFiles,
): Promise<ImportWithFiles | null> {
  if (id === null) return null;
  const found = await prisma.import.findFirst({
    where: { id, state: "SUCCEEDED" },
    include: { files: { orderBy: { index: "asc" } } },
  });
  if (!adds || !found?.versionId) return found;
  // Rows of a version that failed were added to nothing: they are fetched and added anew.
  const version = await prisma.datasetVersion.findUnique({ where: { id: found.versionId } });
  return version?.state === "FAILED" ? null : found;
}

/**
 * Whether the source says that all files are those of the earlier import: by ETag or Last-Modified, and size. Nothing
 * of a file is fetched for it. A source that does not say, or does not answer, is no reason to believe it; answers of
 * queries say nothing.
 */
export async function isSameAtSource(
  services: Services,
  row: ImportWithFiles,
  earlier: ImportWithFiles,
  signal: AbortSignal,
): Promise<boolean> {
  if (row.files.length !== earlier.files.length) return false;
  for (const file of row.files) {
    const before = earlier.files.find(({ name }) => name === file.name);
    if (!before || file.query !== null || before.query !== null) return false;
    const isSame = await isUnchanged(services, file, before, signal).catch(() => false);
    signal.throwIfAborted();
    if (!isSame) return false;
  }
  return true;
}

async function isUnchanged(
  services: Services,
  file: ImportFile,
  { id, sealedUrl, validator, bytesTotal, sha256 }: ImportFile,
  signal: AbortSignal,
): Promise<boolean> {
  if (validator === null || sha256 === null) return false;
  const { guard, sealer } = services.imports;
  const address = sealer.open(file.sealedUrl, urlPurpose(file.id));
  if (address !== sealer.open(sealedUrl, urlPurpose(id))) return false;
  const credential = file.credential === null ? null : await openCredential(services, file.projectId, file.credential);
  const headers = { [validator.startsWith('"') ? "if-none-match" : "if-modified-since"]: validator };
  const { message } = await openSource({ url: sourceUrl(address, guard), headers, credential, guard, signal });
  message.destroy();
  if (message.statusCode === 304) return true;
  const length = message.headers["content-length"];
  const hasSize = length !== undefined && BigInt(length) === bytesTotal;
  return message.statusCode === 200 && validatorOf(message.headers) === validator && hasSize;
}

/** Whether what was fetched has the names and digests of the earlier import's files. */
export async function isSameInStore(
  services: Services,
  row: ImportWithFiles,
  earlier: ImportWithFiles,
  signal: AbortSignal,
): Promise<boolean> {
  const digests = new Map(earlier.files.map(({ name, sha256 }) => [name, sha256]));
  if (row.files.length !== digests.size) return false;
  for (const file of row.files) {
    const hash = createHash("sha256");
    const parts = await partsOf(services, row, file);
    for await (const piece of parts.read()) {
      signal.throwIfAborted();
      hash.update(piece);
    }
    if (hash.digest("hex") !== digests.get(file.name)) return false;
  }
  return true;
}
