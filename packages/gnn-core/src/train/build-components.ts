import type { z } from "zod";
import type { ComponentBase } from "../components/component.ts";
import type { LinearAggregation } from "../components/define-model.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { typedInputOf } from "../graph/typed-input.ts";
import type { GnnModel, ModelGraph, ModelShape } from "../nn/model.ts";
import { nn } from "../nn/nn.ts";
import type { Sampler, SamplerContext } from "../sampling/sampler.ts";
import { type ForwardPass, type ForwardPassContext, layersInOrder } from "./forward-pass.ts";

/** A component by name, with options that its own schema checks. */
export interface Choice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/**
 * Builds the chosen model.
 *
 * @throws GnnError COMPONENT_UNKNOWN, SPEC_INVALID with the pointer of the option that is wrong
 */
export function buildModel(
  choice: Choice,
  shape: ModelShape,
  registry: Registry,
  graph: Pick<CscGraph, "nodeTypes"> = {},
): { model: GnnModel; numHops: number; aggregation: LinearAggregation | null; usesDropout: boolean } {
  const component = registry.get("model", choice.type);
  const options = optionsOf(component, choice, "model");
  return {
    model: component.create(options, shape, nn, modelGraphOf(graph, shape, component.projectsTypes ?? false)),
    numHops: component.numHops(options),
    aggregation: component.aggregation?.(options) ?? null,
    usesDropout: component.usesDropout?.(options) ?? true,
  };
}

/** @throws GnnError SHAPE_MISMATCH when the learned rows are those of another graph */
function modelGraphOf(
  { nodeTypes }: Pick<CscGraph, "nodeTypes">,
  { numLearnedRows }: ModelShape,
  projectsTypes: boolean,
): ModelGraph {
  const typedInput = nodeTypes && projectsTypes ? typedInputOf(nodeTypes) : null;
  if (projectsTypes && typedInput?.numLearned !== numLearnedRows) {
    const message = `The model has learned rows of ${numLearnedRows ?? 0} nodes and the graph ${typedInput?.numLearned ?? 0} nodes without features of their types; apply it to the graph that it was trained on.`;
    throw new GnnError("SHAPE_MISMATCH", message);
  }
  return { nodeTypes: nodeTypes?.codes ?? null, typedInput };
}

/** Hops that the chosen model reads, as many as its batches have blocks. */
export function numHopsOf(choice: Choice, registry: Registry): number {
  const component = registry.get("model", choice.type);
  return component.numHops(optionsOf(component, choice, "model"));
}

/** Whether the layers of the chosen model tell the types of edges apart. */
export function tellsRelations(choice: Choice, registry: Registry): boolean {
  const component = registry.get("model", choice.type);
  return component.readsEdgeTypes?.(optionsOf(component, choice, "model")) ?? false;
}

/** The graph along whose edges messages go with the chosen sampler, in training and in inference. */
export async function messageGraphOf(choice: Choice, graph: CscGraph, registry: Registry): Promise<CscGraph> {
  const component = registry.get("sampler", choice.type);
  return component.messageGraph?.(optionsOf(component, choice, "sampling"), graph) ?? graph;
}

/** @throws GnnError SPEC_INVALID when the chosen sampler needs the whole graph on every host */
export function refuseWholeGraphSampler(choice: Choice, registry: Registry): void {
  const component = registry.get("sampler", choice.type);
  if (component.drawsRemotely?.(optionsOf(component, choice, "sampling"))) return;
  const pointer = "/sampling/type";
  const message = `${pointer}: ${choice.type} with these options needs the whole graph on every host: use "graph": "shared", or neighbor or full along in-edges.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

/** What a model's shape says of a graph with several relations; nothing of one whose edges are all alike. */
export function typesOf({
  relations,
  nodeTypes,
}: CscGraph): Pick<ModelShape, "numRelations" | "numNodeTypes" | "numLearnedRows"> {
  if (!relations) return {};
  const input = nodeTypes ? typedInputOf(nodeTypes) : null;
  return {
    numRelations: relations.length,
    ...(nodeTypes && { numNodeTypes: nodeTypes.names.length }),
    ...(input && { numLearnedRows: input.numLearned }),
  };
}

/**
 * @throws GnnError SPEC_INVALID when the chosen model tells relations apart, and the chosen sampler's blocks do not say
 * of which an edge is
 */
export function refuseUntypedBlocks(model: Choice, sampling: Choice, registry: Registry): void {
  const sampler = registry.get("sampler", sampling.type);
  if (!tellsRelations(model, registry)) return;
  if (sampler.keepsEdgeTypes?.(optionsOf(sampler, sampling, "sampling"))) return;
  const pointer = "/sampling/type";
  const message = `${pointer}: ${model.type} tells types of edges apart, and ${sampling.type} with these options does not keep them; use neighbor or full along in-edges, drawing uniformly.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

/** Builds the chosen sampler; a model of 0 hops gets one that draws nothing, whatever was chosen. */
export async function buildSampler(choice: Choice, context: SamplerContext, registry: Registry): Promise<Sampler> {
  const component = registry.get("sampler", choice.type);
  if (context.numHops === 0) return { sample: async () => [] };
  return component.create(optionsOf(component, choice, "sampling"), context);
}

/**
 * The chosen sampler's own way from a batch to logits; that of a model of 0 hops, and of most samplers: the layers in
 * order.
 */
export async function buildPass(choice: Choice, context: ForwardPassContext, registry: Registry): Promise<ForwardPass> {
  const component = registry.get("sampler", choice.type);
  if (context.model.usesNeighbors && component.createPass) {
    return component.createPass(optionsOf(component, choice, "sampling"), context);
  }
  return { ...layersInOrder(context.model), features: context.data.features };
}

function optionsOf<O extends z.ZodObject>(component: ComponentBase<O>, choice: Choice, section: string): z.infer<O> {
  const parsed = component.options.safeParse(choice.options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const pointer = `/${[section, "options", ...(issue?.path ?? [])].join("/")}`;
  throw new GnnError("SPEC_INVALID", `${pointer}: ${issue?.message}`, { cause: parsed.error, place: { pointer } });
}
