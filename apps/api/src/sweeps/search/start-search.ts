import type { AutoRequest, JobSpec } from "@hopwise/contracts";
import { askedTask, figuresOf, resolveTask } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import type { Viewer } from "../../auth/viewer.ts";
import { graphInfoOf } from "../../datasets/graph-info.ts";
import { trainableVersion } from "../../datasets/trainable-version.ts";
import { durationMs } from "../../scheduler/duration.ts";
import type { Services } from "../../services.ts";
import { shownWorkerState } from "../../workers/worker-directory.ts";
import { type Changes, withChanges } from "../settings.ts";
import type { Judge } from "../sweep-summary.ts";
import { type AcceptedJob, acceptedCandidates } from "./accepted-candidates.ts";
import { type Proposed, proposalsFor } from "./candidates.ts";
import { plans } from "./round-plan.ts";
import { searchBasis } from "./search-basis.ts";
import { searchMetric } from "./search-metric.ts";
import type { SearchState } from "./search-state.ts";
import { startWords } from "./search-words.ts";

/** At least so many are to be tried in the first round. */
const fewestTried = 12;
/** No more than so many jobs of a search are queued at once, however many workers there are. */
const mostAtOnce = 16;
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
  const info = await graphInfoOf(services.prisma, version, "/spec/dataset");
  const { component, options } = resolveTask(base.task, services.registry);
  const judge = searchMetric({ component, options }, auto.metric, info);
  const {
    spec: basis,
    words,
    numFolds,
    numRows,
  } = searchBasis({ ...sent, dataset: ref }, { component, options }, info);
  const { reason, proposed } = proposalsFor(figuresOf(info), askedTask({ component, options }), sent);
  const atOnce = await freeAtOnce(services, base.resources);
  const firstSeconds = plans[0].until * budgetSeconds;
  const secondsEach = (firstSeconds * atOnce) / Math.min(fewestTried, proposed.length);
  const pace = { secondsEach, firstSeconds, budgetSeconds };
  const spec = withTrialOutputs(basis, sent, component.seeds === "edges");
  const judged = proposed.map((each) => judgedBy(each, spec, judge, component.chiefMetric));
  const { candidates, first } = await acceptedCandidates(services, viewer, projectId, spec, { proposed: judged, pace });
  const state: SearchState = {
    budgetSeconds,
    atOnce,
    firstSeed: base.train.seed,
    numFolds,
    numRows,
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

/**
 * Trials are looked at by their figures: unless the spec says more, no file is exported, no map laid out, and no new
 * neighbours are looked for.
 */
function withTrialOutputs(spec: Changes, { outputs, task }: Changes, areLinks: boolean): Changes {
  const listsSome = !areLinks || Object.hasOwn(task ?? {}, "newNeighbors");
  const lists = listsSome ? spec : withChanges(spec, { "task.newNeighbors": 0 });
  if (outputs !== undefined) return lists;
  const none = { formats: [] };
  return { ...lists, outputs: { embeddings: none, predictions: none, map: { maxDetailed: 0 } } };
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
