import { type ModelInfo, modelInfo, type Registry, resolveTask, structuralDim } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { canonicalJson } from "../canonical-json.ts";
import { AppError } from "../errors/problem.ts";
import { schemaIssue } from "../errors/schema-issue.ts";
import { type GraphForm, graphForm } from "./graph-form.ts";
import { wholeNeighborhoods } from "./graph-task-objection.ts";
import type { JobSpec } from "./job-spec.ts";
import { rowsBesideWeightsObjection } from "./learned-rows-objection.ts";
import { headObjection, modelObjection } from "./model-objection.ts";
import { resolveJobSpec } from "./resolve-job-spec.ts";

/**
 * What is read of the card of an uploaded model: the card that a download gives, or one that somebody has written, of
 * which `spec` and `trainedOn` are enough.
 */
export const uploadedCard = z.object({
  spec: z
    .record(z.string(), z.unknown())
    .describe("A job spec: of a model from elsewhere, its task, features.transforms and model are enough"),
  trainedOn: graphForm,
  info: z.record(z.string(), z.unknown()).optional(),
  dataset: z.string().max(200).default(""),
  datasetName: z.string().max(200).default(""),
  files: z
    .array(z.object({ name: z.string(), sha256: z.string() }))
    .max(100)
    .default([]),
});

export interface UploadedModel {
  readonly info: ModelInfo;
  readonly spec: JobSpec;
  readonly trainedOn: GraphForm;
  /** Columns of each type of node, where the types have columns of their own */
  readonly typeDims: number[] | null;
  readonly dataset: string;
  readonly datasetName: string;
  /** What the card says that its files have */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

/**
 * What an uploaded card says, every default filled in and its parts held against each other.
 *
 * @throws AppError MODEL_INVALID with the pointer into the card
 */
export function uploadedModelOf(input: unknown, registry: Registry): UploadedModel {
  const parsed = uploadedCard.safeParse(input);
  if (!parsed.success) throw refusedBySchema(parsed.error, []);
  const { trainedOn, dataset, datasetName, files } = parsed.data;
  const spec = specOf(parsed.data.spec, registry);
  const bound =
    headObjection(spec, registry) ??
    rowsBesideWeightsObjection(spec, trainedOn, registry) ??
    modelObjection(spec, trainedOn, trainedOn, registry)?.message;
  if (bound) throw refused("/spec", bound);
  const shape = shapeOf(spec, trainedOn, registry);
  const info = parsed.data.info ? givenInfo(parsed.data.info, { spec, shape, registry }) : newInfo(spec, shape);
  const typeDims = typeDimsOf(trainedOn);
  return { info, spec, trainedOn, typeDims, dataset, datasetName, files };
}

function specOf(given: Record<string, unknown>, registry: Registry): JobSpec {
  // How batches are drawn decides nothing of a model that has learnt.
  const left = { version: 1, kind: "train", dataset: "elsewhere", sampling: { type: wholeNeighborhoods } };
  try {
    return resolveJobSpec({ ...left, ...given }, registry);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const pointer = `/spec${error.problem.pointer ?? ""}`;
    throw refused(pointer, error.message.replace(/^\/\S*: /, ""), error);
  }
}

/** The shape follows from what the model learnt and the graph that it did so on. */
function shapeOf({ task, features, model, train }: JobSpec, trainedOn: GraphForm, registry: Registry) {
  const { component, options } = resolveTask(task, registry);
  const { readsFeatures, randomRows } = registry.get("model", model.type);
  const readsColumns = readsFeatures !== false && randomRows === undefined;
  return {
    inDim: (readsColumns ? trainedOn.features.dim : 0) + structuralDim(features.structural, trainedOn.numNodes),
    outDim: component.outDim(options, trainedOn),
    seed: train.seed,
    ...typesOf(trainedOn),
  };
}

/** As training tells a model: types are known where edges have several. */
function typesOf({ edgeTypes, nodeTypes, features: { types } }: GraphForm) {
  if (edgeTypes.length < 2) return {};
  return {
    numRelations: edgeTypes.length,
    ...(nodeTypes.length > 0 && { numNodeTypes: nodeTypes.length }),
    ...(types && { numLearnedRows: 0 }),
  };
}

function typeDimsOf({ edgeTypes, nodeTypes, features: { types } }: GraphForm): number[] | null {
  if (edgeTypes.length < 2 || !types) return null;
  return nodeTypes.map((name) => types.find((type) => type.name === name)?.dim ?? 0);
}

type Shape = ModelInfo["shape"];

/** Nothing is known of a model that was trained elsewhere but what it computes. */
function newInfo({ model, sampling, task, features }: JobSpec, shape: Shape): ModelInfo {
  const { transforms, structural, embedding } = features;
  return modelInfo.parse({
    model,
    sampling,
    shape,
    task,
    transforms,
    structural,
    embedding,
    epochs: 0,
    steps: 0,
    best: null,
    metrics: {},
  });
}

/** What the card tells of the training, when it describes the model of its own spec. */
function givenInfo(
  given: Record<string, unknown>,
  { spec, shape, registry }: { readonly spec: JobSpec; readonly shape: Shape; readonly registry: Registry },
): ModelInfo {
  const parsed = modelInfo.safeParse(given);
  if (!parsed.success) throw refusedBySchema(parsed.error, ["info"]);
  const info = parsed.data;
  const asked = { model: spec.model, task: spec.task, ...featuresOf(spec.features) };
  const found = { model: info.model, task: info.task, ...featuresOf(info) };
  for (const name of ["model", "task", "transforms", "structural", "embedding"] as const) {
    requireSame(`/info/${name}`, found[name], asked[name], "the card's spec has");
  }
  // Other models were told of learned rows, and have none.
  const learned = registry.get("model", info.model.type).projectsTypes ? (["numLearnedRows"] as const) : [];
  for (const name of ["inDim", "outDim", "numRelations", "numNodeTypes", ...learned] as const) {
    requireSame(`/info/shape/${name}`, info.shape[name], shape[name], "the spec and trainedOn make it");
  }
  const { targetScaling } = info;
  for (const name of ["mean", "scale"] as const) {
    const width = targetScaling?.[name].length ?? shape.outDim;
    requireSame(`/info/targetScaling/${name}`, width, shape.outDim, "the number of its values is that of outputs,");
  }
  return info;
}

function featuresOf({ transforms, structural, embedding }: Pick<ModelInfo, "transforms" | "structural" | "embedding">) {
  return { transforms, structural, embedding };
}

function requireSame(pointer: string, found: unknown, expected: unknown, who: string): void {
  if (canonicalJson(found ?? null) === canonicalJson(expected ?? null)) return;
  const words = [found, expected].map((value) => JSON.stringify(value ?? null).slice(0, 200));
  throw refused(pointer, `found ${words[0]}; ${who} ${words[1]}. Send the card as it was downloaded.`);
}

function refusedBySchema(error: z.ZodError, path: readonly PropertyKey[]): AppError {
  const { pointer, message } = schemaIssue(error, path);
  return refused(pointer, message);
}

function refused(pointer: string, message: string, cause?: unknown): AppError {
  return new AppError("MODEL_INVALID", `${pointer}: ${message}`, { place: { file: "card.json", pointer }, cause });
}
