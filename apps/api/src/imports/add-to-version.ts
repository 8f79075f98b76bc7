import { setTimeout as pause } from "node:timers/promises";
import { countedPieces } from "../datasets/counted-pieces.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { openAddition } from "../datasets/open-addition.ts";
import type { StoredParts } from "../datasets/stored-parts.ts";
import { uploadFiles } from "../datasets/upload-files.ts";
import { type ImportFile, Prisma } from "../generated/prisma/client.ts";
import { emptySha256, namesInAddition } from "./added-files.ts";
import { type Fetch, partsOf, viewerOf } from "./fetch.ts";
import { Pace } from "./pace.ts";
import { checkedAsGitBlob } from "./published/git-blob.ts";
import { publishedBlob } from "./published/published-datasets.ts";

const lookAgainMs = 1000;

/** A day without a row is no mistake where rows are added: its file is left out. */
export async function filesWithRows({ services, row }: Fetch): Promise<readonly ImportFile[]> {
  if (!row.adds) return row.files;
  const sizes = await Promise.all(row.files.map(async (file) => (await partsOf(services, row, file)).bytes));
  return row.files.filter((_, i) => sizes[i]! > 0);
}

/** Makes what was fetched files of the version that is open now, all of them or none. */
export async function addToVersion(fetch: Fetch, files: readonly ImportFile[]): Promise<void> {
  const { services, holds, row, signal } = fetch;
  const { prisma } = services;
  await waitForIngest(fetch);
  const names = await namesOf(fetch, files);
  const parts = await Promise.all(files.map((file) => partsOf(services, row, file)));
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const pace = shareTold(total, (waitReason) => holds.change(row.id, { waitReason }));
  const incoming = async function* () {
    let before = 0;
    try {
      for (const [i, { index, expectedSha256, source }] of files.entries()) {
        const { bytes, pieces } = fetched(parts[i]!, { name: names[i]!, blob: publishedBlob(row.published, index) });
        const start = before;
        const file = countedPieces(pieces, { signal, onBytes: (done) => pace.note(start + done) });
        yield { filename: names[i]!, expectedSha256, file, origin: { source, importId: row.id } };
        before += bytes;
      }
    } finally {
      await pace.settle();
    }
  };
  await uploadFiles(services, viewerOf(row), row.datasetId, incoming(), {
    replaces: row.replaces,
    alongside: (version, stored) => [
      prisma.import.update({ where: holds.held(row.id), data: { versionId: version.id, waitReason: null } }),
      ...row.files.map((file) => {
        const kept = stored[files.indexOf(file)];
        const data = { sha256: kept?.sha256 ?? emptySha256, storedAs: kept?.name ?? null };
        return prisma.importFile.update({ where: { id: file.id }, data });
      }),
    ],
  }).catch((error: unknown) => {
    // The row was not as this process held it: nothing was written.
    const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2025";
    throw isGone ? holds.lost(row.id) : error;
  });
}

/** What has come of a file; one of a published data set is held against its Git blob. */
function fetched(parts: StoredParts, { name, blob }: { readonly name: string; readonly blob: string | null }) {
  const { bytes } = parts;
  const read = parts.read();
  return { bytes, pieces: blob === null ? read : checkedAsGitBlob(read, { name, bytes, id: blob }) };
}

/** Tells by tenths how far the files are put together. */
export function shareTold(total: number, tell: (sentence: string) => Promise<void>): Pace {
  let told = -1;
  return new Pace(async (bytes) => {
    const tenths = Math.floor((10 * bytes) / total);
    if (tenths === told) return;
    told = tenths;
    await tell(`All files have come; the service is putting them together: ${10 * tenths} %.`);
  });
}

/** What the files are called in the version: as was asked for, unless that takes the rows of others away. */
async function namesOf({ services, row }: Fetch, files: readonly ImportFile[]): Promise<readonly string[]> {
  const viewer = viewerOf(row);
  const wanted = files.map(({ name }) => name);
  const latest = row.adds
    ? await openAddition(services, viewer, row.datasetId)
    : await getVersion(services, viewer, row.datasetId);
  const isAddition = latest.addsTo !== null && (latest.state === "UPLOADING" || latest.state === "MAPPING");
  return isAddition ? namesInAddition(services, latest, wanted, row.replaces) : wanted;
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
