import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import type { StepContext } from "../components/define-step.ts";
import type { EdgeHead } from "../edges/edge-head.ts";
import { edgeOutputs } from "../edges/edge-outputs.ts";
import { type EdgeRowsArtifact, edgesAsRows, mapEdgeRows } from "../edges/edge-rows-artifact.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { recount } from "../export/recount.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import { NpyWriter } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { readSafetensors } from "../io/safetensors.ts";
import { StepProgress } from "../io/step-progress.ts";
import type { NodeRows } from "../links/score-pairs.ts";
import { outputWidth } from "../nn/output-layers.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { EdgePredictionsInfo } from "../spec/result-info.ts";
import { edgeHeadFor } from "../train/edge-setup.ts";
import { chunksOf, inUnits } from "../train/infer-edges.ts";
import { assignWeights } from "../train/model-weights.ts";
import { stepInput } from "./step-input.ts";

/**
 * The work of `steps/predict-edges.step.ts`: `logits.npy`, float32 [edges, outDim] in the order of the dataset's rows;
 * those of a regression are predictions in the targets' own units.
 *
 * @throws GnnError SPEC_INVALID when the model learnt no edges; MANIFEST_INVALID
 */
export async function runPredictEdgesStep(step: StepContext): Promise<ManifestDraft<EdgePredictionsInfo>> {
  const [artifact, model] = [stepInput(step.inputs, "edgeRows"), stepInput(step.inputs, "model")];
  await prepareBackend(step.rank.threads);
  const info = readModelInfo(model);
  const { component, options } = resolveTask(info.task, step.registry);
  if (component.seeds !== "edgeRows") {
    throw new GnnError("SPEC_INVALID", `The model learnt ${component.name}, which says nothing of labels of edges.`);
  }
  const rows = mapEdgeRows(artifact, null);
  const embeddings = mapNpy(join(stepInput(step.inputs, "remapped").dir, "embeddings.npy"), "float32");
  const nodes: NodeRows = { rows: embeddings.values, dim: embeddings.shape[1] ?? 1 };
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  const outDim = outputWidth(tensors);
  const head = edgeHeadFor(rows.edges, component.head(options), { outDim, seed: info.shape.seed });
  assignWeights(head, tensors.values());
  const file = join(step.outDir, "logits.npy");
  const writer = await NpyWriter.open(file, "float32", [outDim]);
  let shape: number[];
  try {
    for await (const values of outputsInOrder(step, nodes, { head, rows, scaling: info.targetScaling })) {
      await writer.append(values);
    }
    shape = await writer.close();
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    for (const { variable } of head.variables) variable.dispose();
  }
  const metrics = await recount(file, { component, options }, edgesAsRows(rows), Int32Array.from(rows.split));
  return {
    info: { numEdges: rows.split.length, outDim, metrics },
    blobs: [{ name: "logits.npy", dtype: "float32", shape }],
  };
}

interface Predicting {
  readonly head: EdgeHead;
  readonly rows: EdgeRowsArtifact;
  readonly scaling: ModelInfo["targetScaling"];
}

/** Outputs of all edges, some at a time. */
async function* outputsInOrder(step: StepContext, nodes: NodeRows, { head, rows, scaling }: Predicting) {
  const progress = new StepProgress(step);
  const numEdges = rows.split.length;
  for (const { first, ids } of chunksOf(numEdges, nodes.dim)) {
    yield inUnits(edgeOutputs(nodes, head, rows.edges, ids), scaling);
    progress.report("predict edges", first + ids.length, numEdges, "edges");
  }
}
