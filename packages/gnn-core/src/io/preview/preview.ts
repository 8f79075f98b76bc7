import { z } from "zod";
import type { StepContext } from "../../spec/define-step.ts";
import { Deadline } from "../limits/deadline.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";
import type { ManifestDraft } from "../manifest.ts";
import { StepProgress } from "../step-progress.ts";
import type { ColumnInfo, TableSource } from "../table-source.ts";
import { openTable, readerFor, type UploadedFile, uploadedFilesOf } from "../uploaded-files.ts";
import { proposeSpec } from "./propose-spec.ts";

/** One file as the preview shows it; `reader` is null when no reader knows it, `npy` or `npz` for a matrix. */
export const previewFile = z.object({
  name: z.string(),
  reader: z.string().nullable(),
  bytes: z.number(),
  numRowsSampled: z.number().int(),
  columns: z.array(z.object({ name: z.string(), type: z.string(), role: z.string() })),
  rows: z.array(z.array(z.string())),
});
export type PreviewFile = z.infer<typeof previewFile>;

/** `info` of a `preview` artifact. */
export const previewInfo = z.object({
  files: z.array(previewFile),
  /** DatasetSpec, or null when no file looks like edges. */
  proposed: z.unknown().nullable(),
  warnings: z.array(z.string()),
});
export type PreviewInfo = z.infer<typeof previewInfo>;

const sampleRows = 100;
const cellLength = 200;

/** A file as it was sampled, before roles are guessed. */
export interface SampledFile {
  readonly name: string;
  readonly reader: string | null;
  readonly bytes: number;
  readonly columns: readonly ColumnInfo[];
  readonly rows: string[][];
}

/**
 * Looks at the beginning of every uploaded file and proposes how they become a graph.
 *
 * @throws GnnError DATASET_* when a file cannot be read at all or not in time; CANCELLED
 */
export async function preview(step: StepContext): Promise<ManifestDraft> {
  const progress = new StepProgress(step);
  const uploaded = uploadedFilesOf(step.inputs["files"]!);
  const sampled: SampledFile[] = [];
  const deadline = new Deadline((step.limits ?? defaultReadingLimits).previewSeconds);
  for (const file of uploaded) {
    sampled.push(await deadline.within(file.name, sample(file, step)));
    progress.report("preview", sampled.length, uploaded.length, "files");
  }
  const { files, proposed, warnings } = proposeSpec(sampled);
  const info: PreviewInfo = { files, proposed, warnings };
  return { info, blobs: [] };
}

async function sample(
  file: UploadedFile,
  { registry, limits = defaultReadingLimits }: StepContext,
): Promise<SampledFile> {
  const { name, bytes } = file;
  const matrix = /\.(npz|npy)$/i.exec(name)?.[1]?.toLowerCase();
  const reader = matrix ?? readerFor(registry, name)?.name ?? null;
  if (matrix !== undefined || reader === null) return { name, reader, bytes, columns: [], rows: [] };
  const table = await openTable(registry, file, undefined, limits);
  try {
    return { name, reader, bytes, columns: table.columns, rows: await firstRows(table) };
  } finally {
    await table.close();
  }
}

async function firstRows(table: TableSource): Promise<string[][]> {
  const rows: string[][] = [];
  const wanted = table.columns.map(({ name }) => ({ name, as: "text" as const }));
  for await (const { numRows, columns } of table.read(wanted)) {
    for (let row = 0; row < numRows && rows.length < sampleRows; row++) {
      rows.push(columns.map((column) => String(column[row] ?? "").slice(0, cellLength)));
    }
    if (rows.length >= sampleRows) break;
  }
  return rows;
}
