import { join } from "node:path";
import { comparesViews } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { readSafetensors } from "../io/safetensors.ts";
import type { GnnModel } from "../nn/model.ts";
import { withActivation } from "../nn/with-activation.ts";
import type { ModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { withOutputScaling } from "../tasks/output-scaling.ts";
import { buildModel } from "./build-components.ts";
import { assignWeights } from "./model-weights.ts";

export interface AppliedModel {
  /** As it was trained: its outputs are logits, or numbers before they are brought to the targets' units */
  readonly trained: GnnModel;
  /** What is applied to nodes; it shares the variables, and only one of both is disposed */
  readonly applied: GnnModel;
}

/**
 * Builds the model of a `model` artifact with its weights, for exact inference.
 *
 * @param graph that it is applied to
 * @throws GnnError COMPONENT_UNKNOWN, SPEC_INVALID, CHECKPOINT_INVALID, SHAPE_MISMATCH
 */
export async function appliedModel(
  artifact: ArtifactDir,
  info: ModelInfo,
  registry: Registry,
  graph: Pick<CscGraph, "nodeTypes"> = {},
): Promise<AppliedModel> {
  const { model: trained } = buildModel(info.model, info.shape, registry, graph);
  assignWeights(trained, (await readSafetensors(join(artifact.dir, "model.safetensors"))).tensors.values());
  const { component, options } = resolveTask(info.task, registry);
  const activation = comparesViews(component) ? component.activation(options) : "none";
  // Numbers of edges are made from rows of nodes, which are none.
  const scaling = component.seeds === "nodes" ? info.targetScaling : null;
  return { trained, applied: withActivation(withOutputScaling(trained, scaling), activation) };
}
