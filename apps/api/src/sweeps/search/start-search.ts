import { AppError, type AutoRequest, type JobSpec, resolveJobSpec } from "@hopwise/contracts";
import { askedTask, figuresOf, type GraphInfo, resolveTask } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import type { Viewer } from "../../auth/viewer.ts";
import { artifactInfo } from "../../database/stored-json.ts";
import { trainableVersion, type VersionWithDataset } from "../../datasets/trainable-version.ts";
import { hashOf } from "../../job-state/queue-job.ts";
import { estimateAndFit } from "../../jobs/estimate-job.ts";
import { draftTraining, type TrainingDraft } from "../../jobs/submit-job.ts";
import { requireWorkers } from "../../jobs/submit-with-estimate.ts";
import { durationMs } from "../../scheduler/duration.ts";
import type { Services } from "../../services.ts";
import { shownWorkerState } from "../../workers/worker-directory.ts";
import { type Changes, withChanges } from "../settings.ts";
import type { Judge } from "../sweep-summary.ts";
import { type Proposed, proposalsFor } from "./candidates.ts";
import { searchBasis } from "./search-basis.ts";
import { searchMetric } from "./search-metric.ts";
import type { Candidate, SearchState } from "./search-state.ts";
import { startWords } from "./search-words.ts";

/** The candidates tried first take this share of the budget, and at least so many are to be tried in it. */
const firstShare = 0.45;
const fewestTried = 12;
/** No more than so many jobs of a search are queued at once, however many workers there are. */
const mostAtOnce = 16;
const mostCandidates = 30;
/** Evaluations without improvement that no training has. */
const neverStops = 100_000;

/** A search that can begin. */
export interface StartedSearch {
  readonly state: SearchState;
  /** What the trials are laid over: the spec as it was sent, with what a search sets. */
  readonly spec: Changes;
  /** The candidate that is tried first, as a job. */
  readonly first: AcceptedJob;
  readonly judge: Judge;
}

/**
 * What a search can try: proposals for the graph and the task that are accepted as jobs, on the workers there are.
 *
 * @param sent what was sent: the spec, and what is asked of the search
 * @param base the spec with its defaults
 * @throws AppError what refuses the first proposal, when all are refused
 */
export async function startSearch(
  services: Services,
  viewer: Viewer,
  projectId: string,
  { spec: sent, auto }: { readonly spec: Changes; readonly auto: AutoRequest },
  base: JobSpec,
): Promise<StartedSearch> {
  const budgetSeconds = (durationMs(auto.budget) ?? 0) / 1000;
  const { version, ref } = await trainableVersion(services, projectId, base.dataset);
  const info = await graphInfoOf(services, version);
  const { component, options } = resolveTask(base.task, services.registry);
  const judge = searchMetric({ component, options }, auto.metric);
  const { spec: basis, words } = searchBasis({ ...sent, dataset: ref }, { component, options }, info);
  const { reason, proposed } = proposalsFor(figuresOf(info), askedTask({ component, options }), sent);
  const atOnce = await freeAtOnce(services, base.resources);
  const pace = {
    secondsEach: (firstShare * budgetSeconds * atOnce) / Math.min(fewestTried, proposed.length),
    budgetSeconds,
  };
  const spec = withTrialOutputs(basis, sent);
  const judged = proposed.map((each) => judgedBy(each, spec, judge, component.chiefMetric));
  const { candidates, first } = await acceptedOf(services, viewer, projectId, spec, judged, pace);
  const state: SearchState = {
    budgetSeconds,
    atOnce,
    firstSeed: base.train.seed,
    candidates,
    numTried: 0,
    rounds: [{ entries: [], numSeeds: 1 }],
    bracket: { firstRound: 0, fromMs: 0 },
    usedMs: 0,
    decisions: [],
  };
  const begun = [startWords(reason, state), ...words].join(" ");
  return { state: { ...state, decisions: [begun] }, spec, first, judge };
}

/** The epoch is chosen by what trials are chosen by, where that is not the task's chief figure. */
function judgedBy({ title, changes }: Proposed, spec: Changes, { metric }: Judge, chiefMetric: string): Proposed {
  const train = spec["train"] as Changes | undefined;
  if (metric === chiefMetric || train?.["earlyStopping"] !== undefined) return { title, changes };
  const own = changes["train.earlyStopping"] as { readonly patience?: number } | undefined;
  const stopping = { patience: own?.patience ?? neverStops, metric: `val/${metric}` };
  return { title, changes: { ...changes, "train.earlyStopping": stopping } };
}

/** Trials are looked at by their figures: unless the spec says more, no file is exported and no map laid out. */
function withTrialOutputs(spec: Changes, { outputs }: Changes): Changes {
  if (outputs !== undefined) return spec;
  const none = { formats: [] };
  return { ...spec, outputs: { embeddings: none, predictions: none, map: { maxDetailed: 0 } } };
}

async function graphInfoOf({ prisma }: Services, { graphId }: VersionWithDataset): Promise<GraphInfo> {
  const graph = graphId === null ? null : await prisma.artifact.findUnique({ where: { id: graphId } });
  if (graph) return artifactInfo("graph", graph.info);
  throw new AppError("DATASET_NOT_READY", "The graph of this dataset version is not stored any more.", {
    place: { pointer: "/spec/dataset" },
  });
}

/**
 * Jobs of these resources that the workers have slots and cores for at once: more on the same cores only end later. Two
 * when no worker is online yet.
 */
async function freeAtOnce({ prisma }: Services, { ranks, samplers }: JobSpec["resources"]): Promise<number> {
  const now = new Date();
  const workers = await prisma.worker.findMany({ where: { state: "ONLINE", compatible: true } });
  const online = workers.filter((worker) => shownWorkerState(worker, now) === "ONLINE");
  if (online.length === 0) return 2;
  const members = online.reduce((sum, worker) => sum + membersAtOnce(worker), 0);
  return Math.max(1, Math.min(mostAtOnce, Math.floor(members / (ranks + samplers))));
}

const announced = z.object({ slots: z.number(), cores: z.number() });

function membersAtOnce({ announcement }: { readonly announcement: unknown }): number {
  const { slots, cores } = announced.catch({ slots: 1, cores: 1 }).parse(announcement);
  return Math.min(slots, cores);
}

/** A candidate that has been checked and planned. */
export interface AcceptedJob {
  readonly changes: Changes;
  readonly training: TrainingDraft;
  readonly estimate: unknown;
}

interface Pace {
  /** Time that a trial of the first round is to take */
  readonly secondsEach: number;
  readonly budgetSeconds: number;
}

async function acceptedOf(
  services: Services,
  viewer: Viewer,
  projectId: string,
  spec: Changes,
  proposed: readonly Proposed[],
  pace: Pace,
): Promise<{ readonly candidates: Candidate[]; readonly first: AcceptedJob }> {
  const candidates: Candidate[] = [];
  let first: AcceptedJob | null = null;
  let refusal: unknown = null;
  for (const { title, changes } of proposed) {
    if (candidates.length === mostCandidates) break;
    try {
      const input = withChanges(spec, changes);
      const resolved = resolveJobSpec(input, services.registry);
      const training = await draftTraining(services, projectId, resolved, hashOf(input));
      const { estimate, objections } = await estimateAndFit(services, viewer, input);
      requireWorkers(objections);
      const epochs = epochsFor(resolved, estimate.seconds, pace);
      if (!epochs) continue;
      candidates.push({ title, changes: withSparseCheckpoints(changes, resolved, spec), ...epochs });
      first ??= { changes, training, estimate };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  }
  if (first) return { candidates, first };
  throw refusal ?? tooShort();
}

/** As many epochs as the first round has time for, a ninth at least; null when even those take a third of all time. */
function epochsFor({ train }: JobSpec, seconds: number | null, { secondsEach, budgetSeconds }: Pace) {
  const { epochs } = train;
  if (seconds === null || seconds <= secondsEach) return { epochs, firstEpochs: epochs };
  const least = Math.ceil(epochs / 9);
  const firstEpochs = Math.max(least, Math.floor((epochs * secondsEach) / seconds));
  return (seconds * firstEpochs) / epochs > budgetSeconds / 3 ? null : { epochs, firstEpochs };
}

/** A trial that is cut off is short: a few checkpoints do. */
function withSparseCheckpoints(changes: Changes, { train }: JobSpec, spec: Changes): Changes {
  const said = (spec["train"] as Changes | undefined)?.["checkpoint"];
  if (said !== undefined) return changes;
  return { ...changes, "train.checkpoint.everyEpochs": Math.max(1, Math.ceil(train.epochs / 5)) };
}

function tooShort(): AppError {
  const pointer = "/auto/budget";
  return new AppError(
    "JOB_SPEC_INVALID",
    `${pointer}: No setting can be tried in this time on this dataset; give more.`,
    {
      place: { pointer },
    },
  );
}
