import {
  AppError,
  type AutoRequest,
  type ErrorCode,
  type JobSpec,
  resolveJobSpec,
  type SweepRequest,
} from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import type { Prisma, Sweep } from "../generated/prisma/client.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import { taskOfJob } from "../job-state/job-task.ts";
import { planStages } from "../job-state/plan-stages.ts";
import { hashOf, insertJobs, type NewJob, type SubmitOptions } from "../job-state/queue-job.ts";
import { estimateAndFit } from "../jobs/estimate-job.ts";
import { projectOfSpec } from "../jobs/project-of-spec.ts";
import { requireRoomForAll } from "../jobs/require-room.ts";
import { draftTraining, type TrainingDraft } from "../jobs/submit-job.ts";
import { requireWorkers } from "../jobs/submit-with-estimate.ts";
import type { Services } from "../services.ts";
import { type StartedSearch, startSearch } from "./search/start-search.ts";
import { type Changes, settingsOf, settingText, trialName, withChanges } from "./settings.ts";

/** A setting that has been checked and planned. */
interface DraftedSetting {
  readonly changes: Changes;
  readonly training: TrainingDraft;
  readonly estimate: unknown;
}

/**
 * Checks every setting of a grid, and writes the sweep with all its jobs in one transaction: killed at any point, there
 * are all of them or none.
 *
 * @throws AppError what `submitWithEstimate` throws, with the setting that it is about; REQUEST_CONFLICT when the
 * idempotency key belongs to another request
 */
export async function submitSweep(
  services: Services,
  viewer: Viewer,
  request: SweepRequest,
  options: SubmitOptions = {},
): Promise<Sweep> {
  requireRole(viewer, "EDITOR");
  const specs: SettingSpec[] = [];
  for (const changes of settingsOf(request.grid)) specs.push(await specOfSetting(services, request, changes));
  const [first] = specs;
  if (!first) throw new Error("A grid has at least one setting.");
  const seeds = request.seeds ?? [first.spec.train.seed];
  const projectId = await projectOfSpec(services, viewer, request.spec, first.spec);
  const requestHash = hashOf(request);
  const repeated = await findRepeatedSweep(services, projectId, options.idempotencyKey, requestHash);
  if (repeated) return repeated;
  const search = request.auto
    ? await searchFor(services, viewer, projectId, { ...request, auto: request.auto }, first.spec)
    : null;
  const drafted: DraftedSetting[] = search ? [search.first] : [];
  for (const each of search ? [] : specs) {
    drafted.push(await inSetting(each.changes, () => draftSetting(services, viewer, projectId, each)));
  }
  requireOneMetric(drafted);
  return writeSweep(services, viewer, { request, drafted, seeds, projectId, requestHash, options, search });
}

interface SettingSpec {
  readonly changes: Changes;
  readonly input: Record<string, unknown>;
  readonly spec: JobSpec;
}

/** The spec of a setting as it would have been sent, and with every default. */
function specOfSetting({ registry }: Services, { spec }: SweepRequest, changes: Changes): Promise<SettingSpec> {
  const input = withChanges(spec, changes);
  return inSetting(changes, () => ({ changes, input, spec: resolveJobSpec(input, registry) }));
}

async function draftSetting(
  services: Services,
  viewer: Viewer,
  projectId: string,
  { changes, input, spec }: SettingSpec,
): Promise<DraftedSetting> {
  const training = await draftTraining(services, projectId, { sent: input, resolved: spec });
  const { estimate, objections } = await estimateAndFit(services, viewer, {
    ...input,
    dataset: training.draft.spec.dataset,
  });
  requireWorkers(objections);
  return { changes, training, estimate };
}

/** Settings are compared by one figure. */
function requireOneMetric(drafted: readonly DraftedSetting[]): void {
  const metrics = [...new Set(drafted.map(({ training }) => training.draft.chiefMetric))];
  if (metrics.length === 1) return;
  const pointer = "/grid";
  const detail = `${pointer}: The settings are judged by different figures (${metrics.join(", ")}), so none is the best; learn one task in a sweep.`;
  throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
}

/** What a search can try, where a sweep chooses its settings itself. */
function searchFor(
  services: Services,
  viewer: Viewer,
  projectId: string,
  { spec, auto }: SweepRequest & { readonly auto: AutoRequest },
  base: JobSpec,
): Promise<StartedSearch> {
  if (taskOfJob({ kind: base.kind, spec: base }, services.registry)?.chiefMetric == null) {
    const pointer = "/spec/task";
    const detail = `${pointer}: What this task learns is judged by no figure, so that there is nothing to choose by; submit a grid.`;
    throw new AppError("JOB_SPEC_INVALID", detail, { place: { pointer } });
  }
  return startSearch(services, viewer, projectId, { spec, auto }, base);
}

interface SweepToWrite {
  readonly request: SweepRequest;
  readonly drafted: readonly DraftedSetting[];
  readonly seeds: readonly number[];
  readonly projectId: string;
  readonly requestHash: string;
  readonly options: SubmitOptions;
  /** null: the settings are those of the grid. */
  readonly search: StartedSearch | null;
}

async function writeSweep(services: Services, viewer: Viewer, toWrite: SweepToWrite): Promise<Sweep> {
  const { seeds, projectId, requestHash, options, search } = toWrite;
  const sweep = rowOfSweep(services, viewer, toWrite);
  // A search submits its trials one after the other.
  const drafted = search ? [] : toWrite.drafted;
  const jobs = drafted.flatMap(({ changes, training, estimate }, setting) =>
    seeds.map((seed): NewJob => {
      const spec = { ...training.draft.spec, train: { ...training.draft.spec.train, seed } };
      const name = trialName(sweep.name, changes, seed);
      const draft = { ...training.draft, spec: { ...spec, name }, name, sweepId: sweep.id, setting, seed };
      return { draft, stages: planStages(spec, services.registry), estimate, requestId: options.requestId };
    }),
  );
  try {
    const written = await services.prisma.$transaction(async (tx) => {
      if (jobs.length > 0)
        await requireRoomForAll(
          tx,
          projectId,
          jobs.map(({ draft }) => (draft.spec as JobSpec).resources),
        );
      for (const { training } of drafted) await training.requireStillFit(tx);
      const created = await tx.sweep.create({ data: sweep });
      return { created, jobs: await insertJobs(tx, viewer, jobs) };
    }, transactionLimits);
    for (const { id } of written.jobs) services.jobChanged(id);
    return written.created;
  } catch (error) {
    // Two requests with one idempotency key at the same time: the unique index decides.
    const repeated =
      isUniqueViolation(error) && (await findRepeatedSweep(services, projectId, options.idempotencyKey, requestHash));
    if (repeated) return repeated;
    throw error;
  }
}

function rowOfSweep(
  services: Services,
  viewer: Viewer,
  { request, drafted, seeds, projectId, requestHash, options, search }: SweepToWrite,
) {
  const [first] = drafted;
  if (!first) throw new Error("A sweep has at least one setting.");
  const { draft } = first.training;
  const { spec, datasetName = "", name } = draft;
  const chiefMetric = search?.judge.metric ?? draft.chiefMetric ?? null;
  const metric = taskOfJob(draft, services.registry)?.metrics.find((one) => one.name === chiefMetric);
  return {
    id: newId("swp"),
    projectId,
    createdBy: viewer.userId,
    name: request.name || (search ? `search on ${datasetName}` : name),
    dataset: spec.dataset,
    datasetName,
    spec: (search?.spec ?? request.spec) as Prisma.InputJsonValue,
    ...(search && { search: search.state as Prisma.InputJsonValue }),
    grid: request.grid as Prisma.InputJsonValue,
    seeds: [...seeds],
    settings: (search ? [] : drafted.map(({ changes }) => ({ changes }))) as Prisma.InputJsonValue,
    chiefMetric,
    direction: metric?.direction ?? null,
    idempotencyKey: options.idempotencyKey ?? null,
    requestHash,
  };
}

async function findRepeatedSweep(
  { prisma }: Services,
  projectId: string,
  idempotencyKey: string | null | undefined,
  requestHash: string,
): Promise<Sweep | null> {
  if (!idempotencyKey) return null;
  const sweep = await prisma.sweep.findUnique({ where: { projectId_idempotencyKey: { projectId, idempotencyKey } } });
  if (sweep && sweep.requestHash !== requestHash) {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The idempotency key "${idempotencyKey}" was used for sweep ${sweep.id} with another request; use a new key for a new sweep.`,
    );
  }
  return sweep;
}

/** Runs what checks a setting; what it refuses is told with the setting, and with its place in the request. */
async function inSetting<T>(changes: Changes, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, pointer } = error.problem;
    const place = pointer === undefined ? {} : { place: { pointer: `/spec${pointer}` } };
    const which = settingText(changes);
    throw new AppError(code as ErrorCode, which === "" ? error.message : `With ${which}: ${error.message}`, {
      cause: error,
      ...place,
    });
  }
}
