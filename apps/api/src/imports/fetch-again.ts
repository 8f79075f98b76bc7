import type { Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { type ImportFile, Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { importRow, requireDifferentNames } from "./import-row.ts";
import { withObjects } from "./s3/with-objects.ts";
import { prefixPurpose, urlPurpose } from "./url-purpose.ts";

/**
 * What is stored of an import that fetches from the addresses of an earlier one. What lies below a prefix of S3 is
 * listed anew, so that objects that have come since are among its files.
 *
 * @param adds  its rows are added to those of the newest graph, and read as those of the last were
 * @throws AppError CREDENTIAL_UNREADABLE, REQUEST_CONFLICT for two files of one name; those of listing a prefix
 */
export async function againOf(
  services: Services,
  viewer: Viewer,
  last: ImportWithFiles,
  adds: boolean,
): Promise<Prisma.ImportUncheckedCreateInput> {
  const { projectId, datasetId, published } = last;
  const owner = { projectId, createdBy: viewer.userId };
  const hasSucceeded = last.state === "SUCCEEDED";
  const rows = [
    ...last.files.filter(({ sealedPrefix }) => sealedPrefix === null).map((file) => fileAgain(services, file)),
    ...(await objectsAgain(services, last)),
  ].map((row, index) => ({ ...row, index, expectedSha256: hasSucceeded ? null : row.expectedSha256, ...owner }));
  requireDifferentNames(rows);
  const common = { id: newId("imp"), datasetId, published, ...owner, files: { createMany: { data: rows } } };
  if (adds) return { ...common, adds };
  const spec = (hasSucceeded ? await specOfVersion(services, last) : null) ?? last.spec;
  return {
    ...common,
    replaces: last.replaces || (hasSucceeded && (await isOpen(services, viewer, datasetId))),
    spec: spec ?? Prisma.DbNull,
  };
}

/** Whether an import added rows: it was asked to, or its version did. */
export async function hasAdded({ prisma }: Services, { adds, versionId }: ImportWithFiles): Promise<boolean> {
  if (adds || versionId === null) return adds;
  const version = await prisma.datasetVersion.findUnique({ where: { id: versionId } });
  return (version?.addsTo ?? null) !== null;
}

function fileAgain({ imports: { sealer } }: Services, file: ImportFile) {
  const { id: earlier, name, source, query, credential, expectedSha256 } = file;
  const id = newId("impf");
  const sealedUrl = sealer.seal(sealer.open(file.sealedUrl, urlPurpose(earlier)), urlPurpose(id));
  // No rows are counted of a query on a file beside it.
  const rowsDone = file.rowsDone === null ? null : 0n;
  return { id, name, source, query, rowsDone, credential, expectedSha256, sealedUrl, sealedPrefix: null };
}

async function objectsAgain(services: Services, { projectId, files }: ImportWithFiles) {
  const prefixes = new Map(
    files.flatMap(({ id, sealedPrefix, credential }) => {
      if (sealedPrefix === null) return [];
      const url = services.imports.sealer.open(sealedPrefix, prefixPurpose(id));
      return [[`${credential ?? ""} ${url}`, { url, ...(credential !== null && { credential }) }] as const];
    }),
  );
  const found = await withObjects(services, projectId, [...prefixes.values()]);
  return found.map((file, index) => importRow(services, file, index).row);
}

/** How the files were read, if a graph was built of them. */
async function specOfVersion({ prisma }: Services, { versionId }: ImportWithFiles) {
  if (versionId === null) return null;
  const version = await prisma.datasetVersion.findUnique({ where: { id: versionId } });
  return version?.state === "READY" ? version.spec : null;
}

async function isOpen(services: Services, viewer: Viewer, datasetId: string): Promise<boolean> {
  const { state } = await getVersion(services, viewer, datasetId);
  return state === "UPLOADING" || state === "MAPPING";
}
