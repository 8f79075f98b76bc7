import type { z } from "zod";
import type { ContrastKit } from "../contrast/contrast-kit.ts";
import type { ContrastObjective } from "../contrast/contrast-objective.ts";
import type { EdgeHeadChoice, EdgeObjective } from "../edges/edge-task.ts";
import type { NodeTargets } from "../graph/node-targets.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { LearnableColumns } from "../io/dataset-labels.ts";
import type { KnownPairs } from "../links/known-pairs.ts";
import type { LinkKit } from "../links/link-kit.ts";
import type { LinkObjective } from "../links/link-task.ts";
import type { NodeGroups } from "../links/node-groups.ts";
import type { Activation } from "../nn/activations.ts";
import type { LinkSplitChoice, LinkSplitSection } from "../spec/link-split.ts";
import type { KnownNodes, PredictionColumns } from "../tasks/known-nodes.ts";
import type { NodeJudge, NodeTask } from "../tasks/node-task.ts";
import type { TaskKit } from "../tasks/task-kit.ts";
import type { WalkObjective } from "../walks/walk-objective.ts";
import type { GraphKit } from "../whole-graphs/graph-kit.ts";
import type { GraphHeadChoice, GraphObjective } from "../whole-graphs/graph-task.ts";
import type { ComponentBase } from "./component.ts";

/** A figure that a task is judged by. */
export interface TaskMetric {
  /** What stands behind the split in events and manifests: `val/<name>` */
  readonly name: string;
  readonly title: string;
  /** Whether the most or the least is best */
  readonly direction: "max" | "min";
  /** percent: a share of 1; figure: a number as it is */
  readonly shownAs: "percent" | "figure";
  /** It needs the scores of all nodes in order, so it is computed only where it decides, and at the end. */
  readonly isRanking?: boolean;
  /** It is counted only where these options of the task have these values. */
  readonly needs?: Readonly<Record<string, string>>;
  /** It is counted by the classes of nodes, which the task itself does not need: of a dataset without any it is not. */
  readonly needsLabels?: boolean;
  /** It is counted once more from the files that were written: neither weights nor scaling of the loss change it. */
  readonly isRecounted?: boolean;
}

/** Something that a dataset lets one learn, as the form offers it. */
export interface TaskChoice<Options = Record<string, unknown>> {
  readonly label: string;
  readonly options: Options;
}

/** What is wrong with one of a task's options, or with the choice of the task itself (`type`). */
export interface TaskObjection {
  readonly option: string;
  /** A whole sentence; for `type` what was found, without an end: the tasks that would do are named behind it. */
  readonly message: string;
  /** For `type`: what else could be done than to choose another task */
  readonly remedy?: string;
}

/** What a graph's manifest says of what can be learnt. */
export interface LearnableGraph {
  readonly classes: readonly string[];
  readonly numNodes?: number;
  /** Stored edges: each row of an undirected graph stands in both directions */
  readonly numEdges?: number;
  /** Left out: it is one graph, and no set of them */
  readonly graphs?:
    | {
        readonly numGraphs: number;
        readonly classes: readonly string[];
        readonly folds: readonly { readonly name: string }[];
      }
    | undefined;
  /** Rows of edges that have something to be predicted; left out: there is nothing */
  readonly edgeRows?:
    | {
        readonly numRows: number;
        readonly classes: readonly string[];
        readonly targets: readonly { readonly name: string; readonly count: number }[];
        readonly featureDim: number;
      }
    | undefined;
}

/** What all tasks say, whether nodes or edges are learnt from. */
interface TaskBase<O extends z.ZodObject> extends ComponentBase<O> {
  readonly kind: "task";
  /** What a spec means that names no type. One task is it. */
  readonly isDefault?: boolean;
  /** In the order in which results show them */
  readonly metrics: readonly TaskMetric[];
  /** Name of the metric that stands for the result in lists */
  readonly chiefMetric: string;
  /** Name of the metric that decides about the best weights and early stopping unless the spec names another */
  readonly selectionMetric: string;
  /** Options that have no meaning for data in memory, which have no columns, and the values they get there. */
  readonly inMemory?: Partial<z.input<O>>;
  /** What the confirmed columns of a dataset let one learn; empty: nothing of this kind. */
  readonly choices: (dataset: LearnableColumns) => readonly TaskChoice<z.input<O>>[];
  /** Whether the confirmed columns have what the options name, asked before anything runs. */
  readonly check: (options: z.infer<O>, dataset: LearnableColumns) => TaskObjection | null;
  /** Whether the graph that was built from them can teach it; left out: always. */
  readonly checkGraph?: (options: z.infer<O>, graph: LearnableGraph) => TaskObjection | null;
  /** Width of the model's output */
  readonly outDim: (options: z.infer<O>, graph: LearnableGraph) => number;
}

/** How predictions of single rows, whether they are of nodes, of graphs or of edges, are counted and written. */
export interface PredictedRows<O extends z.ZodObject = z.ZodObject> {
  /** Counts the metrics with `isRecounted` from predictions in files. */
  readonly judge: (options: z.infer<O>, rows: KnownNodes, kit: TaskKit) => NodeJudge | Promise<NodeJudge>;
  /** The columns of exported predictions, behind id and split. */
  readonly columns: (options: z.infer<O>, rows: KnownNodes) => PredictionColumns | Promise<PredictionColumns>;
}

/** What is learnt of nodes: everything that differs between classes, several labels and numbers. */
export interface NodeTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O>, PredictedRows<O> {
  /** What is learnt from one after the other: what batches are drawn of, and splits and metrics count */
  readonly seeds: "nodes";
  /** Whether a node has the one class that scores highest, so that it can be explained; left out: no */
  readonly tellsOneClass?: boolean;
  /**
   * The task on some data: seeds, loss, tally and ranking, with weights and scaling fitted to the training seeds. `kit`
   * carries losses and tensors, so that this file needs no tensor import and the catalogue can be read without native
   * code.
   *
   * @throws GnnError SPEC_INVALID when the data have not what is to be learnt
   */
  readonly create: (options: z.infer<O>, data: TrainingData, kit: TaskKit) => NodeTask | Promise<NodeTask>;
}

/** What is known of the links that a task on edges learns from. */
export interface KnownLinks {
  /** Training links: what a sampler of negatives may know */
  readonly seen: KnownPairs;
  /** The nodes by type, which a sampler of negatives keeps to; null: they are all alike */
  readonly groups: NodeGroups | null;
  readonly directed: boolean;
  /** `train.seed` of the run */
  readonly seed: number;
}

/** What is learnt of the edges of a graph. They are split before the graph is cut into parts. */
export interface EdgeTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O> {
  readonly seeds: "edges";
  /** How the split step cuts the links, and how many pairs that are none it draws beside those that are held out */
  readonly split: (options: z.infer<O>) => LinkSplitSection;
  /** Pairs that are scored for each link of a step, the link itself among them; for the estimate */
  readonly pairsPerLink: (options: z.infer<O>) => number;
  /** Nodes that all links of a step are told from, for the estimate; left out: each has pairs of its own alone */
  readonly sharedPerLink?: (options: z.infer<O>) => number;
  /** Whether every step computes the rows of all nodes, for the estimate; left out: those of its pairs alone */
  readonly seedsAll?: (options: z.infer<O>) => boolean;
  /** Whether each relation has weights of its own, so that new neighbours are looked for in each; for the estimate */
  readonly tellsRelations?: (options: z.infer<O>) => boolean;
  /** Whether held-out links are ranked among all nodes, for the estimate; left out: they are not */
  readonly ranksAllNodes?: (options: z.infer<O>) => boolean;
  /** How many new neighbours of every node are listed in the results */
  readonly numNewNeighbors: (options: z.infer<O>) => number;
  /** What scores a pair, what it is trained by, and what it is told apart from. `kit` as for tasks on nodes */
  readonly create: (options: z.infer<O>, links: KnownLinks, kit: LinkKit) => LinkObjective | Promise<LinkObjective>;
}

/** What is learnt of the graph itself, labelled or not: rows for its nodes, by comparing changed views of it. */
export interface ContrastTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O> {
  readonly seeds: "allNodes";
  /** What of the graph is learnt from; left out: views */
  readonly learnsBy?: "views";
  /** The activation behind the model's output, which the embedding is; known before tensors are */
  readonly activation: (options: z.infer<O>) => Activation;
  /** Whether each row of a batch is compared with each other one, for the estimate; left out: it is not */
  readonly comparesPairs?: boolean;
  /** Width of the hidden layer that rows pass before they are compared, for the estimate; left out: there is none */
  readonly headFeats?: (options: z.infer<O>) => number;
  /** Number of float32 parameters of what compares the views, for the estimate */
  readonly numParameters: (options: z.infer<O>) => number;
  /** The views and what compares them. `kit` as for tasks on nodes */
  readonly create: (options: z.infer<O>, kit: ContrastKit) => ContrastObjective | Promise<ContrastObjective>;
}

/** What is learnt of the graph itself, labelled or not: rows for its nodes, by random walks along its edges. */
export interface WalkTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O> {
  readonly seeds: "allNodes";
  readonly learnsBy: "walks";
  /** The walks, and the pairs that are learnt from */
  readonly walks: (options: z.infer<O>) => WalkObjective;
}

/** Rows for the nodes that no training makes: what the model gives is evaluated once, after no step. */
export interface UntaughtTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O> {
  readonly seeds: "allNodes";
  readonly learnsBy: "nothing";
}

/** Which folds of a set of graphs are held out; the others are learnt from. */
export interface GraphFolds {
  readonly test: string;
  /** null: the fold behind the tested one, in the order of their names; behind the last the first */
  readonly val: string | null;
}

/** What is known of the graphs of a set, by graph. */
export interface KnownGraphs {
  /** int32 [numGraphs], -1 = not known */
  readonly labels: Int32Array;
  readonly numClasses: number;
  /** Numbers to predict, NaN = not known; null: there are none */
  readonly targets: NodeTargets | null;
}

/** What is learnt of whole graphs. They are split, and cut into parts, as a whole. */
export interface GraphTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O>, PredictedRows<O> {
  readonly seeds: "graphs";
  /** Which folds are held out; null: the split of the job is that of the graphs */
  readonly folds: (options: z.infer<O>) => GraphFolds | null;
  /** Number of float32 parameters of what follows the encoder, for the estimate */
  readonly numParameters: (options: z.infer<O>, graph: LearnableGraph) => number;
  /** What follows the encoder of a model that is applied, to graphs of which nothing need be known */
  readonly head: (options: z.infer<O>, kit: GraphKit) => GraphHeadChoice;
  /**
   * What is learnt, and what follows the encoder. `kit` as for tasks on nodes
   *
   * @throws GnnError SPEC_INVALID when the graphs have not what is to be learnt
   */
  readonly create: (
    options: z.infer<O>,
    graphs: KnownGraphs,
    kit: GraphKit,
  ) => GraphObjective | Promise<GraphObjective>;
}

/** What is known of edges, by row. */
export type KnownEdges = KnownGraphs;

/** What is learnt of single edges that are there: their classes or numbers. */
export interface EdgeRowTaskComponent<O extends z.ZodObject = z.ZodObject> extends TaskBase<O>, PredictedRows<O> {
  readonly seeds: "edgeRows";
  /** How the rows of edges are split */
  readonly split: (options: z.infer<O>) => LinkSplitChoice;
  /** Whether the prediction reads the features of an edge beside the rows of its ends */
  readonly featuresOfEdges: (options: z.infer<O>) => boolean;
  /** Number of float32 parameters of what follows the encoder, for the estimate */
  readonly numParameters: (options: z.infer<O>, graph: LearnableGraph) => number;
  /** What follows the encoder of a model that is applied, to edges of which nothing need be known */
  readonly head: (options: z.infer<O>) => EdgeHeadChoice;
  /**
   * What is learnt, and what follows the encoder.
   *
   * @throws GnnError SPEC_INVALID when the edges have not what is to be learnt
   */
  readonly create: (options: z.infer<O>, edges: KnownEdges) => EdgeObjective | Promise<EdgeObjective>;
}

/** Whether a task predicts something of single rows, of nodes or of graphs, so that logits are written. */
export function predictsRows(component: TaskComponent): component is NodeTaskComponent | GraphTaskComponent {
  return component.seeds === "nodes" || component.seeds === "graphs";
}

export type TaskComponent<O extends z.ZodObject = z.ZodObject> =
  | NodeTaskComponent<O>
  | GraphTaskComponent<O>
  | EdgeTaskComponent<O>
  | EdgeRowTaskComponent<O>
  | ContrastTaskComponent<O>
  | WalkTaskComponent<O>
  | UntaughtTaskComponent<O>;

/** Whether rows are learnt by comparing changed views of the graph. */
export function comparesViews(component: TaskComponent): component is ContrastTaskComponent {
  return component.seeds === "allNodes" && (component.learnsBy ?? "views") === "views";
}

/** Whether rows are learnt by random walks. */
export function walksAlongEdges(component: TaskComponent): component is WalkTaskComponent {
  return component.seeds === "allNodes" && component.learnsBy === "walks";
}

/** Whether nothing is learnt, so that no step is taken. */
export function learnsNothing(component: TaskComponent): component is UntaughtTaskComponent {
  return component.seeds === "allNodes" && component.learnsBy === "nothing";
}

/** Declares a task. One per file, exported from `tasks/<name>.task.ts`. */
export function defineTask<O extends z.ZodObject>(task: Omit<NodeTaskComponent<O>, "kind">): NodeTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(task: Omit<GraphTaskComponent<O>, "kind">): GraphTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(task: Omit<EdgeTaskComponent<O>, "kind">): EdgeTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(task: Omit<EdgeRowTaskComponent<O>, "kind">): EdgeRowTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(
  task: Omit<ContrastTaskComponent<O>, "kind">,
): ContrastTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(task: Omit<WalkTaskComponent<O>, "kind">): WalkTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(
  task: Omit<UntaughtTaskComponent<O>, "kind">,
): UntaughtTaskComponent<O>;
export function defineTask<O extends z.ZodObject>(
  task:
    | Omit<NodeTaskComponent<O>, "kind">
    | Omit<GraphTaskComponent<O>, "kind">
    | Omit<EdgeTaskComponent<O>, "kind">
    | Omit<EdgeRowTaskComponent<O>, "kind">
    | Omit<ContrastTaskComponent<O>, "kind">
    | Omit<WalkTaskComponent<O>, "kind">
    | Omit<UntaughtTaskComponent<O>, "kind">,
): TaskComponent<O> {
  return { kind: "task", ...task };
}
