import { setTimeout as pause } from "node:timers/promises";
import { AppError, limits } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import { confirmSpec } from "../datasets/confirm-spec.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { requestPreview } from "../datasets/request-preview.ts";
import { StoredParts } from "../datasets/stored-parts.ts";
import { uploadFiles } from "../datasets/upload-files.ts";
import { type ImportFile, Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { downloadFile } from "./download-file.ts";
import { HoldLost, type ImportHolds } from "./import-hold.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { Pace } from "./pace.ts";
import { partsPrefix } from "./parts-prefix.ts";
import { comparedWith, isSameAtSource, isSameInStore } from "./same-files.ts";
import { endUnchanged } from "./schedules/end-unchanged.ts";
import { sourceUrl } from "./source-address.ts";
import { openCredential } from "./source-credentials.ts";
import { databaseAddress } from "./sql/database-address.ts";
import { queryFile } from "./sql/query-file.ts";
import { urlPurpose } from "./url-purpose.ts";

/** The one import that is being fetched. */
interface Fetch {
  readonly services: Services;
  readonly holds: ImportHolds;
  readonly signal: AbortSignal;
  readonly row: ImportWithFiles;
}

const firstRetryMs = 500;
const lookAgainMs = 1000;

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
      await addToVersion(fetch);
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
  const counted = () => (file.query === null ? {} : { rowsDone: BigInt(rows) });
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
    if (query !== null)
      await queryFile({
        ...common,
        query,
        querySeconds,
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

function partsOf({ store }: Services, { projectId, id }: ImportWithFiles, { index }: ImportFile): Promise<StoredParts> {
  return StoredParts.open(store, `${partsPrefix(projectId, id)}/${index}`);
}

/** Makes what was fetched files of the version that is open now, all of them or none. */
async function addToVersion(fetch: Fetch): Promise<void> {
  const { services, holds, row, signal } = fetch;
  const { prisma } = services;
  await waitForIngest(fetch);
  const incoming = async function* () {
    for (const file of row.files) {
      signal.throwIfAborted();
      const { name: filename, expectedSha256, source } = file;
      const parts = await partsOf(services, row, file);
      yield { filename, expectedSha256, file: parts.read(), origin: { source, importId: row.id } };
    }
  };
  await uploadFiles(services, viewerOf(row), row.datasetId, incoming(), {
    replaces: row.replaces,
    alongside: (version, stored) => [
      prisma.import.update({ where: holds.held(row.id), data: { versionId: version.id, waitReason: null } }),
      ...row.files.map(({ id, index }) =>
        prisma.importFile.update({ where: { id }, data: { sha256: stored[index]?.sha256 ?? null } }),
      ),
    ],
  }).catch((error: unknown) => {
    // The row was not as this process held it: nothing was written.
    const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2025";
    throw isGone ? new HoldLost(`The import ${row.id} is fetched here no more.`) : error;
  });
}

/** A version that is being built takes no files; the next one does. */
async function waitForIngest({ services, holds, row, signal }: Fetch): Promise<void> {
  for (let isTold = false; ; isTold = true) {
    const latest = await getVersion(services, viewerOf(row), row.datasetId);
    if (latest.state !== "INGESTING") return;
    const waitReason = `Version ${latest.number} is being built; the files come into the next one when that has ended.`;
    if (!isTold) await holds.change(row.id, { waitReason });
    await pause(lookAgainMs, undefined, { signal });
  }
}

async function followUp({ services, holds, row }: Fetch): Promise<void> {
  const { versionId } = await services.prisma.import.findUniqueOrThrow({ where: { id: row.id } });
  const jobId = versionId === null ? null : await followingJob(services, row, versionId);
  await holds.change(row.id, { state: "SUCCEEDED", jobId, finishedAt: new Date(), waitReason: null });
}

async function followingJob(services: Services, row: ImportWithFiles, versionId: string): Promise<string> {
  const viewer = viewerOf(row);
  if (row.spec === null) return (await requestPreview(services, viewer, versionId)).id;
  const where = { datasetVersionId: versionId, kind: "ingest" };
  const earlier = await services.prisma.job.findFirst({ where, orderBy: { createdAt: "desc" } });
  return earlier?.id ?? (await confirmSpec(services, viewer, versionId, row.spec)).id;
}

/** Who asked for the import, as the one who adds its files. */
function viewerOf({ createdBy, projectId }: ImportWithFiles): Viewer {
  return { userId: createdBy, name: createdBy, role: "EDITOR", projectId, via: "key" };
}

function tookTooLong(cause: unknown): AppError {
  const hours = limits.importSeconds / 3600;
  return new AppError(
    "IMPORT_TIME_LIMIT",
    `The import took longer than ${hours} hours. Fetch fewer files at once, or from a faster source.`,
    { cause },
  );
}
