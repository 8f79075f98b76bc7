import { type BlobAnswer, type ExportKind, exportFormats, namedColumnFormats } from "@hopwise/contracts";
import { type ExportColumns, exportColumns } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { artifactInfo, blobsOf } from "../database/stored-json.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { exportsOf, stageOutput } from "./job-artifacts.ts";

export type DownloadKind = ExportKind | "model" | "pairs";

export interface Download {
  readonly kind: DownloadKind;
  readonly format: string;
  /** Name of the file, such as `embeddings.parquet` */
  readonly name: string;
  /** false: it is made when an editor asks for it (`requestExport`), and is then at the url. */
  readonly ready: boolean;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly url: string;
}

/** What the columns of embeddings are called unless somebody asks for other names. */
export const usualColumns: ExportColumns = exportColumns.parse({});

/** Where a file of a job's results is had, and by POST made. */
export function exportUrl(jobId: string, kind: ExportKind, format: string, columns = usualColumns): string {
  const names = (["id", "vector"] as const).filter((column) => columns[column] !== usualColumns[column]);
  const chosen = names.map((column) => `&${column}=${encodeURIComponent(columns[column])}`).join("");
  return `/v1/jobs/${jobId}/${kind}?format=${format}${chosen}`;
}

export interface ExportedBlob {
  readonly artifact: Artifact;
  readonly blob: BlobAnswer;
}

/** The file of one format, its columns so called, among what the job exported so far. */
export async function findExport(
  services: Services,
  jobId: string,
  kind: ExportKind,
  format: string,
  columns = usualColumns,
): Promise<ExportedBlob | null> {
  return findAmong(await exportsOf(services, jobId), kind, format, columns);
}

function findAmong(
  exported: readonly Artifact[],
  kind: ExportKind,
  format: string,
  columns: ExportColumns,
): ExportedBlob | null {
  for (const artifact of exported) {
    if (kind === "embeddings" && namedColumnFormats.includes(format) && !hasColumns(artifact, columns)) continue;
    const blob = blobsOf(artifact).find(({ name }) => name === `${kind}.${format}`);
    if (blob) return { artifact, blob };
  }
  return null;
}

/** Exports of earlier versions say nothing of it, and have the usual names. */
function hasColumns({ info }: Artifact, { id, vector }: ExportColumns): boolean {
  const made = exportedColumns.parse(info).columns;
  return made.id === id && made.vector === vector;
}

const exportedColumns = z.object({ columns: exportColumns.prefault({}) });

/** Every file of a kind that can be had, made or not; none before the results exist. */
export async function downloadsOf(services: Services, jobId: string, kind: ExportKind | "model"): Promise<Download[]> {
  if (kind === "model") return modelDownloads(services, jobId);
  const remapped = await stageOutput(services, jobId, "remapped");
  if (!remapped || (kind === "predictions" && !holdsPredictions(services, remapped))) return [];
  const exported = await exportsOf(services, jobId);
  const made = exportFormats[kind].map((format) => {
    const found = findAmong(exported, kind, format, usualColumns);
    const { bytes = null, sha256 = null } = found?.blob ?? {};
    const name = `${kind}.${format}`;
    const url = exportUrl(jobId, kind, format);
    return { kind, format, name, ready: found !== null, bytes, sha256, url };
  });
  const ofTypes = await filesBeside(services, jobId, kind, new RegExp(`^${kind}\\.[\\w-]+\\.(\\w+)$`));
  return [...made, ...ofTypes, ...(kind === "predictions" ? await filesBeside(services, jobId, "pairs", pairs) : [])];
}

/** Whether something was predicted: a task that compares views of the graph leaves embeddings alone. */
export function holdsPredictions({ registry }: Pick<Services, "registry">, remapped: Artifact): boolean {
  const { task } = artifactInfo("remapped", remapped.info);
  return registry.list("task").find(({ name }) => name === task.type)?.seeds !== "allNodes";
}

/** Scores of the held-out pairs, which tasks on edges have beside their predictions */
const pairs = /^pairs\.(\w+)$/;

/** Files that an export made beside those of a kind, in the same formats: of the nodes of one type, of pairs. */
async function filesBeside(
  services: Services,
  jobId: string,
  kind: DownloadKind,
  pattern: RegExp,
): Promise<Download[]> {
  const found = (await exportsOf(services, jobId)).flatMap((artifact) =>
    blobsOf(artifact).flatMap(({ name, bytes, sha256 }) => {
      const [, format] = pattern.exec(name) ?? [];
      const url = `/v1/artifacts/${artifact.id}?blob=${encodeURIComponent(name)}`;
      return format === undefined ? [] : [{ kind, format, name, ready: true, bytes, sha256, url }];
    }),
  );
  return found.filter(({ name }, i) => found.findIndex((one) => one.name === name) === i);
}

async function modelDownloads(services: Services, jobId: string): Promise<Download[]> {
  const model = await stageOutput(services, jobId, "model");
  if (!model) return [];
  return blobsOf(model).map(({ name, bytes, sha256 }) => ({
    kind: "model",
    format: name.split(".").at(-1) ?? "",
    name,
    ready: true,
    bytes,
    sha256,
    url: `/v1/artifacts/${model.id}?blob=${encodeURIComponent(name)}`,
  }));
}
