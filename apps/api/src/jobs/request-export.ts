import { AppError, columnNamePattern, type ExportKind, exportFormats, namedColumnFormats } from "@hopwise/contracts";
import { type ExportColumns, exportColumns } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { exportUrl, findExport, holdsPredictions, usualColumns } from "./downloads.ts";
import { stageOutput } from "./job-artifacts.ts";
import { getJob } from "./job-queries.ts";
import { submitExport } from "./submit-export.ts";

/** Names that somebody wishes for; left out: the usual ones */
export interface ColumnNames {
  readonly id?: string | null | undefined;
  readonly vector?: string | null | undefined;
}

/** A file of a job's results that was asked for. */
export interface RequestedExport {
  /** Where the file is or will be. */
  readonly url: string;
  /** The job that makes it; null: it is there. */
  readonly job: Job | null;
}

const underWay = ["QUEUED", "RUNNING", "PAUSING", "PAUSED"] as const;

/**
 * Sees to it that one format of a job's results is made: by the export job that does so already, or by a new one.
 *
 * @throws AppError AUTH_FORBIDDEN below the role editor, REQUEST_NOT_FOUND, REQUEST_INVALID (format, names),
 * REQUEST_CONFLICT while the job has not succeeded, JOB_WITHOUT_RESULTS when it is not one that makes embeddings
 */
export async function requestExport(
  services: Services,
  viewer: Viewer,
  jobId: string,
  kind: ExportKind,
  format: string,
  names: ColumnNames = {},
): Promise<RequestedExport> {
  requireRole(viewer, "EDITOR");
  requireFormat(kind, format);
  const columns = columnsOf(kind, format, names);
  const job = await getJob(services, viewer, jobId);
  const url = exportUrl(job.id, kind, format, columns);
  if (await findExport(services, job.id, kind, format, columns)) return { url, job: null };
  return { url, job: await exportJobFor(services, viewer, job, { kind, format, columns }) };
}

/** One file of a job's results. */
export interface ExportWish {
  readonly kind: ExportKind;
  readonly format: string;
  readonly columns: ExportColumns;
}

/** The job that makes a file which is not there: the one that does so already, or a new one. @throws as above */
export async function exportJobFor(
  services: Services,
  viewer: Viewer,
  job: Job,
  { kind, format, columns }: ExportWish,
): Promise<Job> {
  await requireResults(services, job, kind);
  const formats = { embeddings: [], predictions: [], [kind]: [format], columns };
  const earlier = await exportJobs(services, job.id, kind, format, columns);
  const making = earlier.find(isUnderWay);
  if (making) return making;
  // Two requests at the same time look at the same last job, so the key's unique index lets only one of them make the
  // next.
  const idempotencyKey = `export/${job.id}/${kind}.${format}/${columns.id}/${columns.vector}/after/${earlier[0]?.id ?? "none"}`;
  return submitExport(services, viewer, job.id, formats, { idempotencyKey });
}

/**
 * Why `GET` has no file to give: what is asked for is not there yet, or never will be. Nothing is started by asking.
 */
export async function exportMissing(
  services: Services,
  job: Job,
  kind: ExportKind,
  format: string,
  columns: ExportColumns,
): Promise<AppError> {
  try {
    await requireResults(services, job, kind);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const file = `${kind}.${format}`;
  const making = (await exportJobs(services, job.id, kind, format, columns)).find(isUnderWay);
  return new AppError(
    "EXPORT_NOT_MADE",
    making
      ? `The job ${making.id}, which makes ${file}, is ${making.state}; ask again when it has SUCCEEDED.`
      : `There is no ${file} of this job yet. POST ${exportUrl(job.id, kind, format, columns)} with an editor's key makes it.`,
  );
}

async function requireResults(services: Services, job: Job, kind: ExportKind): Promise<void> {
  if (job.kind !== "train" && job.kind !== "infer") {
    const instead = job.sourceJobId
      ? `ask for those of job ${job.sourceJobId}`
      : "only jobs that train or apply a model make them";
    throw new AppError(
      "JOB_WITHOUT_RESULTS",
      `This is a job of the kind "${job.kind}" and has no embeddings or predictions; ${instead}.`,
    );
  }
  if (job.state !== "SUCCEEDED") {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The job is ${job.state}; its results can be exported once it has SUCCEEDED.`,
    );
  }
  const remapped = await stageOutput(services, job.id, "remapped");
  if (remapped && kind === "predictions" && !holdsPredictions(services, remapped)) {
    const found = "This job learnt embeddings without labels, and predicts nothing; ask for its embeddings.";
    throw new AppError("JOB_WITHOUT_RESULTS", found);
  }
  if (remapped) return;
  throw new AppError(
    "JOB_WITHOUT_RESULTS",
    "What this job wrote is no longer stored, so there is nothing to export; train again.",
  );
}

/** The export jobs that make or made exactly this file, newest first. */
async function exportJobs(
  { prisma }: Services,
  jobId: string,
  kind: ExportKind,
  format: string,
  columns: ExportColumns,
): Promise<Job[]> {
  const found = await prisma.job.findMany({
    where: { sourceJobId: jobId, kind: "export", deletedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
  });
  return found.filter(({ spec }) => {
    const { formats } = exportSpec.parse(spec);
    const isSame = formats.columns.id === columns.id && formats.columns.vector === columns.vector;
    return isSame && formats[kind].includes(format);
  });
}

/** The spec of an export job, as far as it says what is made. */
const formatsOfKind = z.array(z.string()).default([]);
const exportSpec = z.object({
  formats: z
    .object({ embeddings: formatsOfKind, predictions: formatsOfKind, columns: exportColumns.prefault({}) })
    .prefault({}),
});

function isUnderWay({ state, desired }: Job): boolean {
  return desired !== "CANCEL" && underWay.some((one) => one === state);
}

/**
 * The names as they are asked for, the usual ones in place of those left out.
 *
 * @throws AppError REQUEST_INVALID when they are no names, alike, or of a format that has none
 */
export function columnsOf(kind: ExportKind, format: string, { id, vector }: ColumnNames): ExportColumns {
  const columns = { id: id ?? usualColumns.id, vector: vector ?? usualColumns.vector };
  const isUsual = columns.id === usualColumns.id && columns.vector === usualColumns.vector;
  if (!isUsual && (kind !== "embeddings" || !namedColumnFormats.includes(format)))
    throw invalidNames(`${kind} in the format ${format} have no names of columns to choose`);
  if (!columnNamePattern.test(columns.id) || !columnNamePattern.test(columns.vector))
    throw invalidNames("names have up to 63 letters, digits, points, - and _, and begin with a letter or _");
  if (columns.id === columns.vector) throw invalidNames(`both columns are to be called "${columns.id}"`);
  return columns;
}

function invalidNames(found: string): AppError {
  const formats = namedColumnFormats.join(", ");
  const detail = `Columns cannot be called so: ${found}. Choose two names, of embeddings in ${formats}.`;
  return new AppError("REQUEST_INVALID", detail, { place: { field: "vector" } });
}

function requireFormat(kind: ExportKind, format: string): void {
  const allowed: readonly string[] = exportFormats[kind];
  if (allowed.includes(format)) return;
  throw new AppError(
    "REQUEST_INVALID",
    `There is no format "${format.slice(0, 40)}" of ${kind}; expected one of ${allowed.join(", ")}.`,
    { place: { field: "format" } },
  );
}
