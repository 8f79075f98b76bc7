import { join } from "node:path";
import { z } from "zod";
import type { ReaderComponent } from "../components/define-reader.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { filesInfo } from "./files-info.ts";
import { limitedTable } from "./limits/limited-table.ts";
import type { ReadingLimits } from "./limits/reading-limits.ts";
import type { ArtifactDir } from "./manifest.ts";
import type { TableSource } from "./table-source.ts";

/** The digest is the manifest's business. */
const listedFiles = filesInfo.extend({ files: z.array(filesInfo.shape.files.element.omit({ sha256: true })) });

/** One file as the user uploaded it: `name` is theirs, `path` is ours. */
export interface UploadedFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
}

export interface ReaderChoice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/** @throws GnnError MANIFEST_INVALID */
export function uploadedFilesOf({ dir, manifest }: ArtifactDir): UploadedFile[] {
  const info = listedFiles.safeParse(manifest.info);
  if (!info.success) throw new GnnError("MANIFEST_INVALID", "The artifact of the uploaded files does not list them.");
  return info.data.files.map(({ name, blob, bytes }) => ({ name, bytes, path: join(dir, blob) }));
}

/** @throws GnnError DATASET_FILE_MISSING naming what there is */
export function findUploaded(files: readonly UploadedFile[], name: string): UploadedFile {
  const found = files.find((file) => file.name === name);
  if (found) return found;
  const there = files.map((file) => file.name).join(", ") || "none";
  const message = `The dataset spec names the file ${name}; uploaded are: ${there}.`;
  throw new GnnError("DATASET_FILE_MISSING", message, { place: { file: name } });
}

/** The reader with the longest ending that the name has, or null. */
export function readerFor(registry: Registry, name: string): ReaderComponent | null {
  const lower = name.toLowerCase();
  const fitting = registry
    .list("reader")
    .flatMap((reader) =>
      reader.extensions.filter((ending) => lower.endsWith(ending)).map((ending) => ({ reader, ending })),
    );
  return fitting.toSorted((a, b) => b.ending.length - a.ending.length)[0]?.reader ?? null;
}

/**
 * Opens an uploaded file with the reader chosen, or with the one its name asks for.
 *
 * @throws GnnError COMPONENT_UNKNOWN, SPEC_INVALID, DATASET_FORMAT_UNKNOWN, DATASET_LIMIT_EXCEEDED, and what the reader
 * throws
 */
export async function openTable(
  registry: Registry,
  file: UploadedFile,
  choice: ReaderChoice | undefined,
  limits: ReadingLimits,
): Promise<TableSource> {
  const reader = choice ? registry.get("reader", choice.type) : readerFor(registry, file.name);
  if (!reader) throw unknownFormat(registry, file.name);
  const options = reader.options.safeParse(choice?.options ?? {});
  if (!options.success) {
    const issue = options.error.issues[0];
    const message = `Options of the reader ${reader.name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
    throw new GnnError("SPEC_INVALID", message, { place: { file: file.name } });
  }
  const table = await reader.open(file.path, options.data, file.name, limits);
  try {
    return limitedTable(table, file.name, limits);
  } catch (error) {
    await table.close();
    throw error;
  }
}

function unknownFormat(registry: Registry, name: string): GnnError {
  const known = registry.list("reader").flatMap((reader) => reader.extensions);
  const message = `No reader knows the ending of ${name}; known are ${known.join(", ")}. Name a reader in the dataset spec.`;
  return new GnnError("DATASET_FORMAT_UNKNOWN", message, { place: { file: name } });
}
