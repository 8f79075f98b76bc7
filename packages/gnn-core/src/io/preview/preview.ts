import { rm } from "node:fs/promises";
import type { StepContext } from "../../components/define-step.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import { isArchive } from "../archives/archive-kind.ts";
import { countMembers, memberName, unpackedMembers } from "../archives/unpacked-members.ts";
import type { Bundle } from "../bundles/bundle.ts";
import { findBundles, writeBundle } from "../bundles/find-bundles.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { Deadline } from "../limits/deadline.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";
import type { ManifestDraft } from "../manifest.ts";
import { StepProgress } from "../step-progress.ts";
import type { TableSource } from "../table-source.ts";
import { assertNotEmpty } from "../text-file.ts";
import {
  findUploaded,
  type OpeningContext,
  openTable,
  readerFor,
  readsText,
  type UploadedFile,
  uploadedFilesOf,
} from "../uploaded-files.ts";
import { sheetsOf } from "../xlsx/sheets-of.ts";
import { addFiles } from "./add-files.ts";
import { type ChosenReader, chooseReader } from "./choose-reader.ts";
import { type DecodedFile, decodedFile } from "./decoded-file.ts";
import type { MapOptions } from "./map-options.ts";
import type { PreviewInfo } from "./preview-info.ts";
import { proposeSpec } from "./propose-spec.ts";
import { sampleRows } from "./sample-rows.ts";
import type { SampledFile } from "./sampled-file.ts";

/** Some more than are shown, so that the first rows are whole */
const bundleRows = 2 * sampleRows;
const cellLength = 200;
/** An archive holds as many files as somebody likes, and more than these nobody looks through. */
const maxTables = 256;
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
  const sampled: SampledFile[] = [];
  let done = 0;
  const deadline = new Deadline((step.limits ?? defaultReadingLimits).previewSeconds);
  const { scratchDir, limits = defaultReadingLimits } = step;
  const bundles = await findBundles(uploaded, { scratchDir, limits, check: (name) => deadline.check(name) });
  const bundled = new Set(bundles.flatMap(({ sources }) => [...sources.values()]));
  for (const file of uploaded.filter(({ name }) => !bundled.has(name))) {
    const room = maxTables - sampled.length;
    const isPacked = await isArchive(file);
    const reading = isPacked ? sampleMembers(file, step, { deadline, room, bundled }) : sample(file, step);
    sampled.push(...(await deadline.within(file.name, reading)));
    if (sampled.length > maxTables) throw tooManyTables(file.name);
    progress.report("preview", ++done, uploaded.length, "files");
  }
  for (const bundle of bundles) {
    const reading = sampleBundle(bundle, uploaded, step, deadline);
    // Before all others: what lies beside a set of files seldom is its table of nodes.
    sampled.unshift(...(await deadline.within(bundle.anchor, reading)));
  }
  for (const name of Object.keys(step.options.readers)) findUploaded(sampled, name);
  const guessed = proposeSpec(sampled);
  const { addsTo } = step.options;
  const { files: read, proposed, warnings } = addsTo ? addFiles(sampled, addsTo, guessed) : guessed;
  const files = read.map((file) => ({ ...file, isReaderChosen: Object.hasOwn(step.options.readers, file.name) }));
  return { info: { files, proposed, warnings }, blobs: [] };
}

interface Bounds {
  readonly deadline: Deadline;
  /** How many tables there may still be */
  readonly room: number;
  /** Files that are read together with others */
  readonly bundled: ReadonlySet<string>;
}

/** The tables of all files in an archive; of a damaged one those before the damage, and what is wrong. */
async function sampleMembers(
  archive: UploadedFile,
  step: StepContext<MapOptions>,
  { deadline, room, bundled }: Bounds,
): Promise<SampledFile[]> {
  const { scratchDir, limits = defaultReadingLimits } = step;
  const tables: SampledFile[] = [];
  const check = (name: string) => deadline.check(name);
  try {
    if ((await countMembers(archive, { scratchDir, limits, check })) > room) throw tooManyTables(archive.name);
    for await (const member of unpackedMembers(archive, { scratchDir, limits, check })) {
      if (!bundled.has(member.name)) tables.push(...(await sample(member, step)));
    }
    return tables;
  } catch (error) {
    return [...tables, { ...unread(archive), ...unreadable(error), reader: null, options: {}, isChosen: false }];
  }
}

/** The tables that are made of several files, or what is wrong with these. */
async function sampleBundle(
  bundle: Bundle,
  uploaded: readonly UploadedFile[],
  step: StepContext<MapOptions>,
  deadline: Deadline,
): Promise<SampledFile[]> {
  const { scratchDir, limits = defaultReadingLimits } = step;
  const check = (name: string) => deadline.check(name);
  const madeOf = `It is made of ${[...bundle.sources.values()].join(", ")}.`;
  try {
    const tables: SampledFile[] = [];
    for (const table of await writeBundle(bundle, uploaded, { scratchDir, limits, check }, bundleRows)) {
      const { notes, ...file } = table;
      const found = await sample(file, step);
      tables.push(
        ...found.map((one) => ({
          ...one,
          ...(listsNodesAlone(one) ? { part: "nodes" as const } : {}),
          reasons: [madeOf, ...one.reasons],
          doubts: [...one.doubts, ...notes],
        })),
      );
      await rm(file.path, { force: true });
    }
    return tables;
  } catch (error) {
    const anchor = { name: bundle.anchor, bytes: bytesOf(bundle, uploaded), path: "" };
    return [{ ...unread(anchor), ...unreadable(error), reader: null, options: {}, isChosen: false }];
  }
}

/** Bytes of the uploaded files that a bundle is made of, or that it lies in. */
function bytesOf({ sources }: Bundle, uploaded: readonly UploadedFile[]): number {
  const names = [...sources.values()];
  const isPart = ({ name }: UploadedFile) => names.some((one) => one === name || one.startsWith(`${name}/`));
  return uploaded.filter(isPart).reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Nodes of which nothing is said give way to a table of them, as those of a graph file do. */
function listsNodesAlone({ name, columns }: SampledFile): boolean {
  return columns.length === 1 && name.endsWith("/nodes.csv");
}

/** The tables of one file: a graph file has several. */
async function sample(file: UploadedFile, step: StepContext<MapOptions>): Promise<SampledFile[]> {
  const { registry, options, scratchDir, limits = defaultReadingLimits } = step;
  const { name } = file;
  const choice = options.readers[name];
  try {
    await assertNotEmpty(file.path, name);
    const decoded = await decodedFile(file, choice, { scratchDir, limits });
    try {
      const chosen = await chooseReader(registry, decoded.file, choice);
      const context = { registry, scratchDir, limits };
      const sheets = chosen.name === "xlsx" && !chosen.options["sheet"] ? await sheetsOf(decoded.file, limits) : [];
      if (sheets.length < 2) return await tablesOf(decoded, chosen, context);
      return await sampleSheets(sheets, decoded, chosen, options, context);
    } finally {
      await decoded.remove();
    }
  } catch (error) {
    const reader = choice?.type ?? readerFor(registry, name)?.name ?? null;
    return [{ ...unread(file), ...unreadable(error), reader, options: choice?.options ?? {}, isChosen: false }];
  }
}

/** @throws what is wrong when it is wrong of all files */
function unreadable(error: unknown) {
  if (!(error instanceof GnnError) || notOfOneFile.has(error.code)) throw error;
  return { reasons: [], problem: { code: error.code, detail: error.message } };
}

function tooManyTables(file: string): GnnError {
  const message = `${file}: with it the files hold more than ${maxTables} tables. Pack only those of which the graph is made.`;
  return new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file } });
}

function unread({ name, bytes }: UploadedFile) {
  return { name, bytes, columns: [], rows: [], doubts: [] };
}

async function tablesOf(decoded: DecodedFile, chosen: ChosenReader, context: OpeningContext): Promise<SampledFile[]> {
  const { isChosen, name: reader } = chosen;
  const said = chosen.reason === null ? [] : [chosen.reason];
  if (reader === null) {
    const problem = { code: "DATASET_FORMAT_UNKNOWN", detail: `${said.join(" ")} It is not used.` };
    return [{ ...unread(decoded.file), reader, options: {}, isChosen, reasons: said, problem }];
  }
  if (reader === "npy" || reader === "npz")
    return [{ ...unread(decoded.file), reader, options: {}, isChosen, reasons: said, problem: null }];
  const { parts } = context.registry.get("reader", reader);
  if (!parts) return [await sampleTable(decoded, { ...chosen, name: reader }, context)];
  const tables: SampledFile[] = [];
  for (const part of parts) {
    const options = { ...chosen.options, part };
    const reading = sampleTable(decoded, { ...chosen, name: reader, options, isChosen: true }, context);
    // A graph file may name its nodes in its edges alone.
    const table = part === "nodes" ? await reading.catch(nullWhenEmpty) : await reading;
    if (table) tables.push({ ...table, part });
  }
  return tables;
}

/** The sheets of a workbook, each by its name behind that of the file; empty ones are passed over. */
async function sampleSheets(
  sheets: readonly string[],
  decoded: DecodedFile,
  chosen: ChosenReader,
  { readers }: MapOptions,
  context: OpeningContext,
): Promise<SampledFile[]> {
  const tables: SampledFile[] = [];
  for (const sheet of sheets) {
    const file = { ...decoded.file, name: memberName(decoded.file.name, sheet) };
    const options = { ...chosen.options, ...readers[file.name]?.options, sheet };
    const reading = sampleTable({ ...decoded, file }, { ...chosen, name: "xlsx", options, isChosen: true }, context);
    const table = await reading.catch(nullWhenEmpty).catch((error: unknown) => ({
      ...unread(file),
      ...unreadable(error),
      reader: "xlsx",
      options,
      isChosen: true,
    }));
    if (table) tables.push(table);
  }
  return tables;
}

function nullWhenEmpty(error: unknown): null {
  if (error instanceof GnnError && error.code === "DATASET_FILE_EMPTY") return null;
  throw error;
}

async function sampleTable(
  { file, encoding, isNamed, reasons, doubts }: DecodedFile,
  chosen: ChosenReader & { readonly name: string },
  context: OpeningContext,
): Promise<SampledFile> {
  const { name: reader, options, isChosen, reason } = chosen;
  const isText = readsText(context.registry.get("reader", reader));
  const ofCopy = isText ? { ...options, encoding: "utf-8" } : { ...options };
  const table = await openTable(context, file, { type: reader, options: ofCopy });
  try {
    const { dialect, columns, directed } = table;
    const named = isText && encoding !== null && (isNamed || encoding !== "utf-8") ? { encoding } : {};
    return {
      name: file.name,
      bytes: file.bytes,
      reader,
      options: { ...(dialect ? dialectOptions(dialect, reader) : {}), ...options, ...named },
      isChosen: isChosen || isNamed,
      reasons: [...(reason === null ? [] : [reason]), ...reasons, ...(dialect?.reasons ?? [])],
      doubts: [...doubts, ...(dialect?.doubts ?? []), ...(table.notes ?? [])],
      problem: null,
      encoding,
      statedDirection: directed ?? null,
      columns,
      rows: await firstRows(table),
    };
  } finally {
    await table.close();
  }
}

/** What was detected, in the words of the reader's options. */
function dialectOptions(
  { delimiter, header, comment, decimal, escape }: Dialect,
  reader: string,
): Record<string, unknown> {
  const found = { header, comment: comment === "" ? "none" : comment, decimal };
  if (reader === "xlsx") return { header };
  return reader === "csv" ? { delimiter, ...found, ...(escape === "\\" ? { escape } : {}) } : found;
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
