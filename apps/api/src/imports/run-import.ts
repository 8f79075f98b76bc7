import { AppError, type DatasetSpec, limits } from "@hopwise/contracts";
import { confirmSpec } from "../datasets/confirm-spec.ts";
import { requestPreview } from "../datasets/request-preview.ts";
import { StoredParts } from "../datasets/stored-parts.ts";
import type { ImportFile, Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { addToVersion, filesWithRows } from "./add-to-version.ts";
import { specWithAdded } from "./added-files.ts";
import { downloadFile } from "./download-file.ts";
import { type Fetch, partsOf, viewerOf } from "./fetch.ts";
import type { ImportHolds } from "./import-hold.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { Pace } from "./pace.ts";
import { comparedWith, isSameAtSource, isSameInStore } from "./same-files.ts";
import { endUnchanged } from "./schedules/end-unchanged.ts";
import { sourceUrl } from "./source-address.ts";
import { openCredential } from "./source-credentials.ts";
import { databaseAddress } from "./sql/database-address.ts";
import { queryFile } from "./sql/query-file.ts";
import { urlPurpose } from "./url-purpose.ts";

const firstRetryMs = 500;

/**
 * Fetches all files of an import, makes them files of the dataset's open version, and has them looked at or a graph
 * built of them. A run of a schedule ends without a trace where the source has the files of the run before. Every
 * step may be done again: what has come before is found in the store.
 */
export async function runImport(
  services: Services,
  id: string,
  holds: ImportHolds,
  signal: AbortSignal,
): Promise<void> {
  const row = await services.prisma.import.findUniqueOrThrow({
    where: { id },
    include: { files: { orderBy: { index: "asc" } } },
  });
  const usedMs = Date.now() - (row.startedAt ?? row.createdAt).getTime();
  const late = AbortSignal.timeout(Math.max(0, limits.importSeconds * 1000 - usedMs));
  const fetch: Fetch = { services, holds, row, signal: AbortSignal.any([signal, late]) };
  try {
    if (row.versionId === null) {
      const compared = await comparedWith(services, row);
      if (compared && (await isSameAtSource(services, row, compared, fetch.signal)))
        return await endUnchanged(services, holds, row);
      for (const file of row.files) if (!file.isComplete) await fetchFile(fetch, file);
      if (compared && (await isSameInStore(services, row, compared, fetch.signal)))
        return await endUnchanged(services, holds, row);
      const files = await filesWithRows(fetch);
      if (files.length === 0 && row.scheduleId !== null) return await endUnchanged(services, holds, row);
      if (files.length === 0) {
        throw new AppError("DATASET_FILE_EMPTY", "There is not a row in what was fetched, so that nothing is added.");
      }
      await addToVersion(fetch, files);
    }
    await followUp(fetch);
  } catch (error) {
    if (late.aborted && !signal.aborted) throw tookTooLong(error);
    throw error;
  }
}

async function fetchFile({ services, holds, row, signal }: Fetch, file: ImportFile): Promise<void> {
  const { prisma, store, imports } = services;
  const parts = await partsOf(services, row, file);
  const save = async (data: Prisma.ImportFileUpdateInput) => {
    signal.throwIfAborted();
    await prisma.importFile.update({ where: { id: file.id }, data });
  };
  let rows = 0;
  const asksServer = file.query !== null && file.rowsDone !== null;
  const counted = () => (asksServer ? { rowsDone: BigInt(rows) } : {});
  const pace = new Pace(async (bytes, bytesPerSecond) => {
    await save({ bytesDone: BigInt(bytes), ...counted() });
    await holds.change(row.id, { bytesPerSecond });
  });
  await store.requireSpaceFor(0);
  const credential = file.credential === null ? null : await openCredential(services, row.projectId, file.credential);
  const { guard, querySeconds } = imports;
  const address = imports.sealer.open(file.sealedUrl, urlPurpose(file.id));
  const { name, query, validator } = file;
  const common = { name, credential, guard, parts, mostBytes: services.limits.uploadBytes, firstRetryMs, signal };
  try {
    if (query !== null && !asksServer) await keepText(parts, query);
    else if (query !== null)
      await queryFile({
        ...common,
        query,
        querySeconds,
        mayBeEmpty: row.adds,
        address: databaseAddress(address, guard),
        onProgress: (bytes, rowsSoFar) => {
          rows = rowsSoFar;
          pace.note(bytes);
        },
        onWaiting: (waitReason) => holds.change(row.id, { waitReason }),
      });
    else
      await downloadFile({
        ...common,
        url: sourceUrl(address, guard),
        validator,
        isChecked: file.expectedSha256 !== null,
        onBegun: ({ total, validator }) =>
          save({ bytesTotal: total === null ? null : BigInt(total), validator, bytesDone: BigInt(parts.bytes) }),
        onBytes: (bytes) => pace.note(bytes),
        onWaiting: (waitReason) => holds.change(row.id, { waitReason }),
      });
  } finally {
    await pace.settle();
  }
  const bytes = BigInt(parts.bytes);
  await save({ bytesDone: bytes, bytesTotal: bytes, ...counted(), isComplete: true });
}

/** A query on a database that is a file beside it: whoever reads that runs it. */
async function keepText(parts: StoredParts, query: string): Promise<void> {
  await parts.clear();
  async function* pieces() {
    yield Buffer.from(query, "utf8");
  }
  await parts.append(pieces(), () => undefined);
}

async function followUp({ services, holds, row }: Fetch): Promise<void> {
  const { versionId } = await services.prisma.import.findUniqueOrThrow({ where: { id: row.id } });
  const jobId = versionId === null ? null : await followingJob(services, row, versionId);
  await holds.change(row.id, { state: "SUCCEEDED", jobId, finishedAt: new Date(), waitReason: null });
}

async function followingJob(services: Services, row: ImportWithFiles, versionId: string): Promise<string> {
  const viewer = viewerOf(row);
  const where = { datasetVersionId: versionId, kind: "ingest" };
  const earlier = await services.prisma.job.findFirst({ where, orderBy: { createdAt: "desc" } });
  if (earlier && (row.adds || row.spec !== null)) return earlier.id;
  const spec = row.adds ? await specOfAddition(services, versionId) : row.spec;
  if (spec === null) return (await requestPreview(services, viewer, versionId)).id;
  return (await confirmSpec(services, viewer, versionId, spec)).id;
}

async function specOfAddition(services: Services, versionId: string): Promise<DatasetSpec | null> {
  const version = await services.prisma.datasetVersion.findUniqueOrThrow({ where: { id: versionId } });
  return specWithAdded(services, version);
}

function tookTooLong(cause: unknown): AppError {
  const hours = limits.importSeconds / 3600;
  return new AppError(
    "IMPORT_TIME_LIMIT",
    `The import took longer than ${hours} hours. Fetch fewer files at once, or from a faster source.`,
    { cause },
  );
}
