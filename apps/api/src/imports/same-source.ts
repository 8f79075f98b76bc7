import type { ImportFile } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { prefixPurpose, urlPurpose } from "./url-purpose.ts";

/** How many imports of a dataset are looked through, the newest first. */
const mostLookedAt = 50;

/**
 * What an import fetches: its addresses with the names and queries of the files, and prefixes of S3 in place of what
 * lay below them. With which credential they are fetched makes no other source of them.
 *
 * @throws AppError CREDENTIAL_UNREADABLE
 */
export function sourceKeyOf(services: Services, { files }: Pick<ImportWithFiles, "files">): string {
  return JSON.stringify([...new Set(files.map((file) => fileKeyOf(services, file)))].toSorted());
}

function fileKeyOf({ imports: { sealer } }: Services, file: ImportFile): string {
  const { id, name, query, sealedUrl, sealedPrefix } = file;
  if (sealedPrefix !== null) return JSON.stringify([sealer.open(sealedPrefix, prefixPurpose(id))]);
  return JSON.stringify([sealer.open(sealedUrl, urlPurpose(id)), name, query]);
}

/**
 * The import that brought last what an import's addresses have, whoever asked for it; null: none has succeeded.
 *
 * @throws AppError CREDENTIAL_UNREADABLE for the addresses of the import itself
 */
export async function newestOfSource(services: Services, last: ImportWithFiles): Promise<ImportWithFiles | null> {
  const wanted = sourceKeyOf(services, last);
  const found = await services.prisma.import.findMany({
    where: { datasetId: last.datasetId, state: "SUCCEEDED" },
    include: { files: { orderBy: { index: "asc" } } },
    orderBy: [{ finishedAt: "desc" }, { id: "desc" }],
    take: mostLookedAt,
  });
  return found.find((one) => isOfSource(services, one, wanted)) ?? null;
}

/** Addresses that nobody can read any more are those of another source. */
export function isOfSource(services: Services, one: Pick<ImportWithFiles, "files">, wanted: string): boolean {
  try {
    return sourceKeyOf(services, one) === wanted;
  } catch {
    return false;
  }
}
