import { AppError, canonicalJson, type JobSpec } from "@hopwise/contracts";
import { isPlannedToItsEnd, type ScheduleOptions } from "@hopwise/gnn-core/spec";
import { specOf } from "../database/stored-json.ts";
import type { JobServices } from "../job-state/queue-job.ts";

/**
 * Holds a job that goes on from a checkpoint to what the weights in it depend on: the same dataset, split, partition,
 * model and way to train. More epochs, more time, and all that has no say in the weights are its own.
 *
 * @throws AppError JOB_SPEC_INVALID when there is no such checkpoint in the project, or it was made otherwise
 */
export async function checkContinuation(
  { prisma }: Pick<JobServices, "prisma">,
  projectId: string,
  spec: JobSpec,
  datasetVersionId: string,
): Promise<void> {
  if (spec.continueFrom === undefined) return;
  const checkpoint = await prisma.artifact.findFirst({
    where: { id: spec.continueFrom, projectId, kind: "checkpoint", deletedAt: null },
    include: { job: true },
  });
  if (!checkpoint?.job) {
    throw refuse(`${quoted(spec.continueFrom)} is no checkpoint of this project, or it is not stored any more`);
  }
  const { job, epoch } = checkpoint;
  if (job.datasetVersionId !== datasetVersionId) {
    throw refuse(`the checkpoint was made on another dataset, or another version of it, by job ${job.id}`);
  }
  const [pointer] = differences(determining(specOf(job)), determining(spec));
  if (pointer !== undefined) {
    throw refuse(
      `the checkpoint was made with another ${pointer}; training can only go on with the same, or begin anew`,
      pointer,
    );
  }
  if (epoch !== null && epoch > spec.train.epochs) {
    throw refuse(
      `the checkpoint is of epoch ${epoch}, after the last of ${spec.train.epochs}; raise train.epochs`,
      "/train/epochs",
    );
  }
}

function refuse(found: string, pointer = "/continueFrom"): AppError {
  return new AppError("JOB_SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}

function quoted(text: string): string {
  return `"${text.slice(0, 60)}"`;
}

type Json = Readonly<Record<string, unknown>>;

/** The parts of a resolved spec that decide the weights after an epoch; how many there are does by a schedule alone. */
function determining(spec: Json): Json {
  const { task, split, features, partition, model, sampling, train, resources, startFrom } = spec;
  const { epochs, ...others } = (train ?? {}) as Json;
  const isPlanned = isPlannedToItsEnd((others["schedule"] ?? { type: "constant" }) as ScheduleOptions);
  const training = isPlanned ? { ...others, epochs } : others;
  const { ranks, graph, remoteCache } = (resources ?? {}) as Json;
  return {
    task,
    split,
    features,
    partition,
    model,
    sampling,
    train: training,
    startFrom,
    resources: { ranks, graph, remoteCache },
  };
}

/** JSON pointers of what differs, the deepest that both sides have. */
function differences(a: unknown, b: unknown, pointer = ""): string[] {
  if (!isRecord(a) || !isRecord(b)) return canonicalJson(a ?? null) === canonicalJson(b ?? null) ? [] : [pointer];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    differences(a[name], b[name], `${pointer}/${name}`),
  );
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
