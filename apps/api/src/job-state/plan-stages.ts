import { AppError, type InferSpec, type JobSpec } from "@hopwise/contracts";
import {
  type AdoptOptions,
  type DatasetSpec,
  type ExportColumns,
  type FeatureLayoutOfModel,
  GnnError,
  type GraphFolds,
  type LinkSplitSection,
  type Registry,
  resolveTask,
  type TypesOfModel,
} from "@hopwise/gnn-core/spec";
import type { z } from "zod";

/** One step of a job before it runs: what, with which options, on how many ranks, from what to what. */
export interface PlannedStage {
  /** Name of the step component. */
  readonly step: string;
  /** Options with the step's own defaults filled in. */
  readonly options: unknown;
  /** Artifact kinds it reads, resolved when the stage is granted. */
  readonly inputs: readonly string[];
  /** Artifact kind it writes. */
  readonly output: string;
  readonly ranks: number;
}

interface Choice {
  readonly step: string;
  readonly options: unknown;
  /** JSON pointer of the part of the spec that these options come from. */
  readonly pointer?: string;
}

/**
 * The stages of a training job, in order: partition → train → infer → remap → project → export → `outputs.steps`. A
 * task on links has them split before, and new neighbours found after remap; one on labelled edges has them split
 * before, and predicted after remap; for one on whole graphs the parts keep each in one piece.
 *
 * @throws AppError JOB_SPEC_INVALID when a step refuses its options or needs an artifact that nothing makes
 */
export function planStages(spec: JobSpec, registry: Registry): readonly PlannedStage[] {
  const { task, split, features, model, sampling, train, resources, outputs, startFrom } = spec;
  const { component, options } = resolveTask(task, registry);
  const linkSplit = component.seeds === "edges" ? component.split(options) : null;
  const graphs = component.seeds === "graphs" ? { folds: component.folds(options) } : null;
  const edgeSplit =
    component.seeds === "edgeRows"
      ? { split: component.split(options), features: component.featuresOfEdges(options) }
      : null;
  const choices: Choice[] = [
    ...(linkSplit ? [{ step: "splitLinks", options: linkSplit, pointer: "/task" }] : []),
    ...(edgeSplit ? [{ step: "splitEdges", options: edgeSplit, pointer: "/task" }] : []),
    {
      step: "partition",
      options: {
        partition: withNumParts(spec),
        split,
        features: { dtype: features.dtype },
        ...(linkSplit && { edges: "messages" }),
        ...(graphs && { graphs }),
      },
      pointer: "/partition",
    },
    ...vectorChoices(features.embedding),
    {
      step: "train",
      options: {
        task,
        features,
        model,
        sampling,
        train,
        samplerThreads: resources.samplerThreads,
        graph: resources.graph,
        remoteCache: resources.remoteCache,
        ...placementOf(resources),
        ...(startFrom && { startLayers: startFrom.layers }),
        ...(startFrom && startFrom.freeze.length > 0 && { startFreeze: startFrom.freeze }),
      },
      pointer: "/train",
    },
    { step: "infer", options: { graph: resources.graph, ...placementOf(resources) } },
    { step: "remap", options: {} },
    ...(linkSplit ? [{ step: "recommend", options: {} }] : []),
    ...(edgeSplit ? [{ step: "predictEdges", options: {} }] : []),
    ...resultChoices(outputs),
  ];
  return plan(choices, ["files", "preview", "graph", ...(startFrom ? ["model"] : [])], resources.ranks, registry);
}

/** Rows that begin as vectors of a file have it read once the parts are known; whether they learn is the training's. */
function vectorChoices(embedding: JobSpec["features"]["embedding"]): Choice[] {
  if (!embedding?.vectors) return [];
  const { frozen: _, ...options } = embedding.vectors;
  return [{ step: "readVectors", options: { ...options, dim: embedding.dim }, pointer: "/features/embedding/vectors" }];
}

/** What of a stored model decides how it is applied. */
export interface AppliedModel {
  readonly task: JobSpec["task"];
  readonly features: Pick<JobSpec["features"], "dtype">;
  /** Rows of single nodes, which are found by their ids before they are read */
  readonly hasLearnedRows: boolean;
  /** In the order in which the model counts them */
  readonly classes: readonly string[];
  /** Where it reads the columns of the graph; null: they are those that it was trained on */
  readonly columns: FeatureLayoutOfModel | null;
  /** How it counts types of nodes and edges; null: as the graph does */
  readonly types: TypesOfModel | null;
}

/** What of a graph decides how a model is applied to it. */
export interface AppliedGraph {
  /** Names of the folds of a set of graphs; none: there are no folds */
  readonly folds: readonly string[];
  /** What the dataset names of its edges: those that are held out, and pairs without an edge beside them */
  readonly heldOut: { readonly links: boolean; readonly pairs: boolean };
}

/**
 * The stages of a job that applies a model, with the stored model in place of `train`: partition → infer → remap →
 * project → export → `outputs.steps`. Learned rows are matched before infer. Labelled edges are told from others
 * before, and predicted after remap; links are told apart before, and new neighbours found after it. The split of nodes
 * and graphs is the dataset's own: a model is judged by the nodes that it says are held out, and not by a draw that
 * could hold out what the model was trained on. Where it has the fold that the model did not learn from, that is held
 * out here too.
 *
 * @param graph that the model is applied to
 * @throws AppError JOB_SPEC_INVALID when a step refuses its options or needs an artifact that nothing makes
 */
export function planInfer(
  spec: InferSpec,
  model: AppliedModel,
  graph: AppliedGraph,
  registry: Registry,
): readonly PlannedStage[] {
  const { resources } = spec;
  const { component, options } = resolveTask(model.task, registry);
  const folds = component.seeds === "graphs" ? component.folds(options) : null;
  const edges =
    component.seeds === "edgeRows"
      ? { split: { type: "given" }, features: component.featuresOfEdges(options), applied: { classes: model.classes } }
      : null;
  const links = component.seeds === "edges" ? appliedLinks(component.split(options), graph) : null;
  // Left out where they are the model's own, so that what an earlier job made is found.
  const types = model.types === null ? {} : { types: model.types };
  const { newNeighbors } = spec.outputs;
  const partition = {
    partition: withNumParts(spec),
    ...types,
    split: { type: "column" },
    features: { dtype: model.features.dtype },
    ...(links && { edges: "messages" }),
    ...(component.seeds === "graphs" && { graphs: { folds: hasFolds(graph.folds, folds) ? folds : null } }),
  };
  const choices: Choice[] = [
    ...(links ? [{ step: "splitLinks", options: { ...links, ...types } }] : []),
    ...(edges ? [{ step: "splitEdges", options: edges }] : []),
    { step: "partition", options: partition, pointer: "/partition" },
    ...(model.hasLearnedRows ? [{ step: "matchRows", options: {} }] : []),
    { step: "infer", options: { graph: resources.graph, ...placementOf(resources), ...columnsOf(model) } },
    { step: "remap", options: edges || links ? {} : { classes: model.classes } },
    ...(links
      ? [{ step: "recommend", options: { ...types, ...(newNeighbors !== undefined && { newNeighbors }) } }]
      : []),
    ...(edges ? [{ step: "predictEdges", options: {} }] : []),
    ...resultChoices(spec.outputs),
  ];
  return plan(choices, ["files", "preview", "graph", "model"], resources.ranks, registry);
}

/**
 * How the links of a graph that a model is applied to are told apart: all carry messages, but for those that the
 * dataset holds out, where the model was trained by what its dataset holds out.
 */
function appliedLinks(trained: LinkSplitSection, { heldOut }: Pick<AppliedGraph, "heldOut">): object {
  const { relations, evaluationNegatives, keptNegatives, splitSeed } = trained;
  const asked = { relations, evaluationNegatives, splitSeed };
  if (trained.split.type !== "given" || !heldOut.links) return { ...asked, split: { type: "random", val: 0, test: 0 } };
  return { ...asked, split: { type: "given" }, keptNegatives: heldOut.pairs ? keptNegatives : "drawn" };
}

/** Whether a set of graphs has the folds, one that is tested and another that chose the best epoch. */
function hasFolds(names: readonly string[], folds: GraphFolds | null): boolean {
  return (
    folds !== null && names.length > 1 && [folds.test, folds.val ?? folds.test].every((name) => names.includes(name))
  );
}

/** Left out where they are the model's own, so that rows which an earlier job inferred are found. */
function columnsOf({ columns }: AppliedModel) {
  return columns === null ? {} : { columns };
}

/** Left out where the rank chooses, so that rows which an earlier job inferred are found. */
function placementOf({ features }: Pick<JobSpec["resources"], "features">) {
  return features === "auto" ? {} : { featurePlacement: features };
}

/** What is made of the rows of all nodes, whoever has computed them. */
function resultChoices(outputs: InferSpec["outputs"]): Choice[] {
  return [
    { step: "project", options: outputs.map, pointer: "/outputs/map" },
    {
      step: "export",
      options: exportOptions(outputs.embeddings.formats, outputs.predictions.formats),
      pointer: "/outputs",
    },
    ...outputs.steps.map(({ type, options }, i) => ({ step: type, options, pointer: `/outputs/steps/${i}` })),
  ];
}

/** Preview of the uploaded files; `addsTo`: those of a version whose mapping is kept, and to which the others add. */
export function planMap(
  readers: ChosenReaders,
  registry: Registry,
  addsTo: { readonly spec: unknown; readonly files: readonly string[] } | null = null,
): readonly PlannedStage[] {
  return plan([{ step: "map", options: { readers, ...(addsTo && { addsTo }) } }], ["files"], 1, registry);
}

/** Uploaded weights → model, when they are those of the card's. */
export function planAdopt(options: AdoptOptions, registry: Registry): readonly PlannedStage[] {
  return plan([{ step: "adopt", options }], ["files"], 1, registry);
}

/** Uploaded files → graph, as the confirmed dataset spec says. */
export function planIngest(dataset: DatasetSpec, registry: Registry): readonly PlannedStage[] {
  return plan([{ step: "ingest", options: dataset }], ["files"], 1, registry);
}

/** Reader and options of single files, by their names. */
export type ChosenReaders = Readonly<
  Record<string, { readonly type: string; readonly options: Readonly<Record<string, unknown>> }>
>;

export interface ExportFormats {
  readonly embeddings: readonly string[];
  readonly predictions: readonly string[];
  /** What the columns of embeddings are called; left out: as usual */
  readonly columns?: ExportColumns;
}

/** Further formats of a finished job's results, from the artifacts of that job. */
export function planExport(formats: ExportFormats, registry: Registry): readonly PlannedStage[] {
  const { embeddings, predictions, columns } = formats;
  const named = { formats: embeddings, ...(columns && { columns }) };
  const options = { embeddings: named, predictions: { formats: predictions } };
  return plan([{ step: "export", options }], ["graph", "parts", "model", "inferred", "remapped"], 1, registry);
}

function exportOptions(embeddings: readonly string[], predictions: readonly string[]): unknown {
  return { embeddings: { formats: embeddings }, predictions: { formats: predictions } };
}

interface InferRanks {
  readonly resources: Pick<JobSpec["resources"], "ranks">;
}

/** `"auto"` parts are one per rank. */
function withNumParts({ partition, resources }: Pick<JobSpec, "partition"> & InferRanks): unknown {
  const { numParts } = partition.options;
  const isAuto = numParts === undefined || numParts === null || numParts === "auto";
  return { ...partition, options: { ...partition.options, numParts: isAuto ? resources.ranks : numParts } };
}

function plan(choices: readonly Choice[], given: readonly string[], ranks: number, registry: Registry): PlannedStage[] {
  const available = new Set(given);
  return choices.map((choice) => {
    const stage = planOne(choice, ranks, registry);
    const missing = stage.inputs.filter((kind) => !available.has(kind));
    if (missing.length > 0) {
      throw invalid(
        choice,
        `The step "${stage.step}" reads ${missing.join(", ")}, which no earlier step of this job makes; there are ${[...available].join(", ")}.`,
      );
    }
    available.add(stage.output);
    return stage;
  });
}

function planOne(choice: Choice, ranks: number, registry: Registry): PlannedStage {
  const component = stepOf(choice, registry);
  const options = component.options.safeParse(choice.options);
  if (!options.success) throw invalid(choice, describe(choice.step, options.error), options.error);
  return {
    step: component.name,
    options: options.data,
    inputs: component.inputs,
    output: component.output,
    ranks: component.ranks === "all" ? ranks : 1,
  };
}

function stepOf(choice: Choice, registry: Registry) {
  try {
    return registry.get("step", choice.step);
  } catch (error) {
    if (error instanceof GnnError) throw invalid(choice, error.message, error);
    throw error;
  }
}

function describe(step: string, error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue?.path.length ? `options.${issue.path.map(String).join(".")}` : "options";
  return `The step "${step}" refuses ${where}: ${issue?.message ?? "not valid"}.`;
}

function invalid(choice: Choice, detail: string, cause?: unknown): AppError {
  return new AppError("JOB_SPEC_INVALID", detail, { cause, place: { pointer: choice.pointer } });
}
