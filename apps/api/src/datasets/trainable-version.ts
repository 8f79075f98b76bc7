import { AppError, type JobSpec, taskObjection } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { noSuchVersion } from "../auth/no-such-version.ts";
import { notFound } from "../auth/viewer.ts";
import { datasetSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion, Prisma } from "../generated/prisma/client.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { lackOfSplit, type NoSplit } from "./own-split.ts";

export type VersionWithDataset = Prisma.DatasetVersionGetPayload<{ include: { dataset: true } }>;

/**
 * The READY version that a job spec names: `ds_…@2`, or the newest version of `ds_…`; `ref` names it for good.
 *
 * @throws AppError DATASET_NOT_READY, REQUEST_NOT_FOUND, JOB_SPEC_INVALID
 */
export async function trainableVersion(
  { prisma }: JobServices,
  projectId: string,
  ref: string,
): Promise<{ version: VersionWithDataset; ref: string }> {
  const [, datasetId, number] = /^([^@]+)(?:@(\d{1,9}))?$/.exec(ref) ?? [];
  if (datasetId === undefined) {
    throw new AppError("JOB_SPEC_INVALID", `"${ref}" is not a dataset; write its id, or id@version.`, {
      place: { pointer: "/dataset" },
    });
  }
  const version = await prisma.datasetVersion.findFirst({
    where: {
      datasetId,
      dataset: { projectId, deletedAt: null },
      ...(number === undefined ? {} : { number: Number(number) }),
    },
    orderBy: { number: "desc" },
    include: { dataset: true },
  });
  if (!version) throw await noVersion(prisma, { projectId, datasetId, number });
  if (version.state !== "READY") throw notReady(version);
  return { version, ref: `${datasetId}@${version.number}` };
}

async function noVersion(
  prisma: JobServices["prisma"],
  { projectId, datasetId, number }: { projectId: string; datasetId: string; number: string | undefined },
): Promise<AppError> {
  const there = await prisma.datasetVersion.findMany({
    where: { datasetId, dataset: { projectId, deletedAt: null } },
    orderBy: { number: "desc" },
    select: { number: true },
  });
  if (there.length === 0 || number === undefined) return notFound("dataset", datasetId);
  const numbers = there.map((version) => version.number);
  return noSuchVersion("dataset", datasetId, Number(number), numbers);
}

function notReady({ number, state }: DatasetVersion): AppError {
  const next =
    state === "INGESTING"
      ? "wait until it is READY"
      : state === "FAILED"
        ? "upload corrected files"
        : "confirm its columns";
  return new AppError("DATASET_NOT_READY", `Version ${number} of the dataset is ${state}; ${next}.`, {
    place: { pointer: "/dataset" },
  });
}

/** What the confirmed dataset spec can already tell: labels and splits that are not there cannot be trained on. */
export function checkAgainstDataset(spec: JobSpec, version: DatasetVersion, registry: Registry): void {
  const confirmed = datasetSpecOf(version);
  if (!confirmed) return;
  const objection = taskObjection(spec.task, confirmed, registry);
  if (objection) {
    const { pointer, message } = objection;
    throw new AppError("JOB_SPEC_INVALID", message, { place: { pointer } });
  }
  const lack = spec.split.type === "column" ? lackOfSplit(spec, confirmed, registry) : null;
  if (lack) throw noSplit(lack);
}

function noSplit({ rows, hasFolds }: NoSplit): AppError {
  const owner = rows === "nodes" ? "The dataset has" : "The graphs have";
  const others = hasFolds
    ? "name a fold in task.testFold"
    : `map a split column${rows === "graphs" ? " of the graphs" : ""}`;
  const detail = `${owner} no split column; use "split": { "type": "random" } or ${others}.`;
  return new AppError("JOB_SPEC_INVALID", detail, { place: { pointer: "/split" } });
}
