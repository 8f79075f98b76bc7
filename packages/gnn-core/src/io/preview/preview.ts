import type { StepContext } from "../../components/define-step.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { Deadline } from "../limits/deadline.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";
import type { ManifestDraft } from "../manifest.ts";
import { StepProgress } from "../step-progress.ts";
import type { TableSource } from "../table-source.ts";
import { assertNotEmpty } from "../text-file.ts";
import { findUploaded, openTable, readerFor, type UploadedFile, uploadedFilesOf } from "../uploaded-files.ts";
import { chooseReader } from "./choose-reader.ts";
import type { MapOptions } from "./map-options.ts";
import type { PreviewInfo } from "./preview-info.ts";
import { proposeSpec } from "./propose-spec.ts";
import type { SampledFile } from "./sampled-file.ts";

const sampleRows = 100;
const cellLength = 200;
/** What ends the preview instead of being shown beside the other files. */
const notOfOneFile = new Set<string>(["CANCELLED", "DATASET_LIMIT_EXCEEDED"]);

/**
 * Looks at the beginning of every uploaded file and proposes how they become a graph. A file that cannot be read is
 * shown with its problem beside the others.
 *
 * @throws GnnError DATASET_FILE_MISSING when a reader is chosen for a file that is not there, DATASET_LIMIT_EXCEEDED
 * when a file is too large inside or is not read in time; CANCELLED
 */
export async function preview(step: StepContext<MapOptions>): Promise<ManifestDraft<PreviewInfo>> {
  const progress = new StepProgress(step);
  const uploaded = uploadedFilesOf(step.inputs["files"]!);
  for (const name of Object.keys(step.options.readers)) findUploaded(uploaded, name);
  const sampled: SampledFile[] = [];
  const deadline = new Deadline((step.limits ?? defaultReadingLimits).previewSeconds);
  for (const file of uploaded) {
    sampled.push(await deadline.within(file.name, sample(file, step)));
    progress.report("preview", sampled.length, uploaded.length, "files");
  }
  const { files: read, proposed, warnings } = proposeSpec(sampled);
  const files = read.map((file) => ({ ...file, isReaderChosen: Object.hasOwn(step.options.readers, file.name) }));
  return { info: { files, proposed, warnings }, blobs: [] };
}

async function sample(
  file: UploadedFile,
  { registry, options: { readers }, limits = defaultReadingLimits }: StepContext<MapOptions>,
): Promise<SampledFile> {
  const { name, bytes } = file;
  const unread = { name, bytes, columns: [], rows: [], doubts: [] };
  try {
    await assertNotEmpty(file.path, name);
    const chosen = await chooseReader(registry, file, readers[name]);
    const { isChosen, options } = chosen;
    const said = chosen.reason === null ? [] : [chosen.reason];
    if (chosen.name === null) {
      const problem = { code: "DATASET_FORMAT_UNKNOWN", detail: `${said.join(" ")} It is not used.` };
      return { ...unread, reader: null, options: {}, isChosen, reasons: said, problem };
    }
    if (chosen.name === "npy" || chosen.name === "npz")
      return { ...unread, reader: chosen.name, options: {}, isChosen, reasons: said, problem: null };
    const table = await openTable(registry, file, { type: chosen.name, options: { ...options } }, limits);
    try {
      const { dialect } = table;
      const shown = dialect ? { ...dialectOptions(dialect, chosen.name), ...options } : { ...options };
      const reasons = [...said, ...(dialect?.reasons ?? [])];
      const rows = await firstRows(table);
      const doubts = dialect?.doubts ?? [];
      return {
        name,
        bytes,
        reader: chosen.name,
        options: shown,
        isChosen,
        reasons,
        doubts,
        problem: null,
        columns: table.columns,
        rows,
      };
    } finally {
      await table.close();
    }
  } catch (error) {
    if (!(error instanceof GnnError) || notOfOneFile.has(error.code)) throw error;
    const reader = readers[name]?.type ?? readerFor(registry, name)?.name ?? null;
    const options = readers[name]?.options ?? {};
    const problem = { code: error.code, detail: error.message };
    return { ...unread, reader, options, isChosen: false, reasons: [], problem };
  }
}

/** What was detected, in the words of the reader's options. */
function dialectOptions({ delimiter, header, comment }: Dialect, reader: string): Record<string, unknown> {
  const found = { header, comment: comment === "" ? "none" : comment };
  return reader === "csv" ? { delimiter, ...found } : found;
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
