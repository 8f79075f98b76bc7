import type { z } from "zod";
import type { Registry } from "../components/registry.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { type SharedRows, sharedRowsInMemory } from "../dist/shared-rows.ts";
import { soloRank } from "../dist/solo-rank.ts";
import { type EdgeLearning, edgeJudging } from "../edges/edge-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { type LinkLearning, linkJudging } from "../links/link-task.ts";
import { fullSampler } from "../sampling/full.sampler.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { loadRegistry } from "../spec/index.ts";
import { type ResolvedTask, resolveTask, taskComponentOf } from "../spec/resolve-task.ts";
import { metricObjection, type TaskMetrics } from "../spec/task-metrics.ts";
import { type TrainStepOptions, trainStepOptions } from "../spec/train-options.ts";
import { untaughtDefaults } from "../spec/untaught.ts";
import { type GraphLearning, graphJudging } from "../whole-graphs/graph-task.ts";
import type { StartVectors } from "./start-vectors.ts";
import type { StartingPoint } from "./starting-point.ts";

/** Options of a `train` step; data in memory have no columns, so that a task's `inMemory` options may be left out. */
export type TrainerOptions = Omit<z.input<typeof trainStepOptions>, "task"> &
  Partial<Pick<z.input<typeof trainStepOptions>, "task">>;

export interface TrainerSetup {
  readonly data: TrainingData;
  readonly options?: TrainerOptions;
  /** Learn which nodes are linked; `options.task` is left out, or a task on edges. Default: null */
  readonly links?: LinkLearning | null;
  /**
   * Learn something of whole graphs; `options.task` is left out, or a task on graphs, `options.sampling` is left out,
   * or takes all neighbours, and `options.train.batchSize` counts graphs. Default: null
   */
  readonly graphs?: GraphLearning | null;
  /**
   * Learn something of edges; `options.task` is left out, or a task on labelled edges, and `options.train.batchSize`
   * counts edges. Default: null
   */
  readonly edges?: EdgeLearning | null;
  /** Default: the only rank, with `threads` */
  readonly rank?: RankContext;
  /** Threads of the native kernels without a `rank` of its own. Default: all cores */
  readonly threads?: number;
  /** Default: the built-in components */
  readonly registry?: Registry;
  /**
   * Draws the batches of training instead of this process: `remoteSampler` of processes that serve what the options'
   * sampler draws from the same graph. Default: made from the options
   */
  readonly sampler?: Sampler | null;
  /** Memory for the hidden rows of evaluations. Default: that of this process, which holds for one rank only */
  readonly sharedRows?: SharedRows;
  /** A trained model to begin with, of the same options. Default: new weights */
  readonly start?: StartingPoint | null;
  /** What learned rows (`options.features.embedding`) begin with, by GlobalId. Default: random numbers */
  readonly vectors?: StartVectors | null;
  /** Digest of the data, so that a checkpoint of other data is refused */
  readonly dataDigest?: string;
}

/** A setup with nothing left open. */
export type ResolvedSetup = Required<Omit<TrainerSetup, "options" | "threads">> & {
  readonly options: TrainStepOptions;
  readonly task: ResolvedTask;
  /** By whose metrics the model is chosen */
  readonly judgedBy: TaskMetrics;
};

/** @throws GnnError SPEC_INVALID with the place of the option that is wrong, or when several ranks lack `sharedRows` */
export async function resolveSetup(setup: TrainerSetup): Promise<ResolvedSetup> {
  const rank = setup.rank ?? soloRank(setup.threads);
  if (rank.worldSize > 1 && !setup.sharedRows) {
    throw new GnnError(
      "SPEC_INVALID",
      "Several ranks need sharedRows that all of them see; pass sharedRowsIn(folder).",
    );
  }
  const registry = setup.registry ?? (await loadRegistry());
  return {
    data: setup.data,
    links: setup.links ?? null,
    graphs: setup.graphs ?? null,
    edges: setup.edges ?? null,
    ...parseOptions(setup.options ?? {}, registry, setup),
    rank,
    registry,
    sampler: setup.sampler ?? null,
    sharedRows: setup.sharedRows ?? sharedRowsInMemory(),
    start: setup.start ?? null,
    vectors: setup.vectors ?? null,
    dataDigest: setup.dataDigest ?? "",
  };
}

function parseOptions(
  { task: asked = {}, ...sections }: TrainerOptions,
  registry: Registry,
  { links = null, graphs = null, edges = null }: Pick<TrainerSetup, "links" | "graphs" | "edges">,
): Pick<ResolvedSetup, "options" | "task" | "judgedBy"> {
  const isUnnamed = Object.keys(asked).length === 0;
  if (graphs && links) throw refused("/graphs", "links are learnt too; leave one of the two out");
  if (edges && (links || graphs)) {
    throw refused("/edges", `${links ? "links" : "graphs"} are learnt too; leave one of the two out`);
  }
  const component = taskComponentOf(asked, registry);
  const { inMemory, seeds, name } = component;
  if (graphs && !isUnnamed && seeds !== "graphs") {
    throw refused("/task", "what is learnt of graphs is said in graphs.goal; leave it out, or name a task on graphs");
  }
  if (graphs && sections.sampling && sections.sampling.type !== fullSampler.name) {
    throw refused("/sampling", "batches are whole graphs and nothing is drawn; leave it out");
  }
  if (!graphs && seeds === "graphs") {
    throw refused("/task/type", `${name} learns whole graphs, and none are given; pass graphs`);
  }
  if (edges && !isUnnamed && seeds !== "edgeRows") {
    throw refused(
      "/task",
      "what is learnt of edges is said in edges.goal; leave it out, or name a task on their labels",
    );
  }
  if (!edges && seeds === "edgeRows") {
    throw refused("/task/type", `${name} learns labels of edges, and none are given; pass edges`);
  }
  if (links && !isUnnamed && seeds !== "edges") {
    throw refused("/task", `links are learnt, and ${name} learns nodes; leave it out, or name a task on edges`);
  }
  if (!links && seeds === "edges") throw refused("/task/type", `${name} learns links, and none are given; pass links`);
  const parsed = trainStepOptions.safeParse({
    ...sections,
    ...untaughtDefaults(component, registry, sections),
    task: { ...inMemory, ...asked },
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refused(`/${(issue?.path ?? []).join("/")}`, String(issue?.message), parsed.error);
  }
  const task = resolveTask(parsed.data.task, registry);
  const ofGiven = givenJudging({ links, graphs, edges });
  const judgedBy = isUnnamed && ofGiven ? ofGiven : task.component;
  const objection = metricObjection(judgedBy, parsed.data.train.earlyStopping, task.options);
  if (objection) throw refused(`/train/earlyStopping/${objection.option}`, objection.message);
  return { options: { ...parsed.data, task: task.section }, task, judgedBy };
}

/** By what is judged that is given beside the options, where they name no task; null: nothing is given */
function givenJudging({ links, graphs, edges }: Pick<TrainerSetup, "links" | "graphs" | "edges">): TaskMetrics | null {
  if (graphs) return graphJudging(graphs.goal);
  if (edges) return edgeJudging(edges.goal);
  return links ? linkJudging(links) : null;
}

function refused(pointer: string, message: string, cause?: unknown): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${message}`, { cause, place: { pointer } });
}
