import { join } from "node:path";
import { z } from "zod";
import type { ReaderComponent } from "../components/define-reader.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { asUtf8, type CopyContext } from "./encoding/as-utf8.ts";
import { type Encoding, encodingOption } from "./encoding/encodings.ts";
import { filesInfo } from "./files-info.ts";
import { limitedTable } from "./limits/limited-table.ts";
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
export function findUploaded<File extends { readonly name: string }>(files: readonly File[], name: string): File {
  const found = files.find((file) => file.name === name);
  if (found) return found;
  const there = [...new Set(files.map((file) => file.name))].join(", ") || "none";
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

/** What opening a file takes: the readers there are, and where a copy in UTF-8 may lie. */
export interface OpeningContext extends CopyContext {
  readonly registry: Registry;
}

/**
 * Opens an uploaded file with the reader chosen, or with the one its name asks for. A reader of text, which has the
 * option `encoding`, gets it as UTF-8.
 *
 * @throws GnnError COMPONENT_UNKNOWN, SPEC_INVALID, DATASET_FORMAT_UNKNOWN, DATASET_LIMIT_EXCEEDED, and what the reader
 * throws
 */
export async function openTable(
  context: OpeningContext,
  file: UploadedFile,
  choice: ReaderChoice | undefined,
): Promise<TableSource> {
  const { registry, limits } = context;
  const reader = choice ? registry.get("reader", choice.type) : readerFor(registry, file.name);
  if (!reader) throw unknownFormat(registry, file.name);
  const options = optionsOf(reader, file, choice);
  const encoding = readsText(reader) ? (options["encoding"] as Encoding | "auto") : "utf-8";
  // DuckDB passes over the mark of UTF-8 in CSV, and takes it for a part of the first object in JSON.
  const { path, remove } = await asUtf8(file, encoding, context, reader.name !== "json");
  let opened: TableSource | null = null;
  try {
    opened = await reader.open(path, options, file.name, limits);
    const table = limitedTable(opened, file.name, limits);
    const close = async () => {
      await table.close();
      await remove();
    };
    return { ...table, close };
  } catch (error) {
    await opened?.close();
    await remove();
    throw error;
  }
}

/** Whether the reader takes UTF-8 alone, and leaves it to its caller to make that of other encodings. */
export function readsText(reader: ReaderComponent): boolean {
  return reader.options.shape["encoding"] === encodingOption;
}

function optionsOf(reader: ReaderComponent, file: UploadedFile, choice: ReaderChoice | undefined) {
  const options = reader.options.safeParse(choice?.options ?? {});
  if (options.success) return options.data;
  const issue = options.error.issues[0];
  const message = `Options of the reader ${reader.name}: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`;
  throw new GnnError("SPEC_INVALID", message, { place: { file: file.name } });
}

function unknownFormat(registry: Registry, name: string): GnnError {
  const known = registry.list("reader").flatMap((reader) => reader.extensions);
  const message = `No reader knows the ending of ${name}; known are ${known.join(", ")}. Name a reader in the dataset spec.`;
  return new GnnError("DATASET_FORMAT_UNKNOWN", message, { place: { file: name } });
}
