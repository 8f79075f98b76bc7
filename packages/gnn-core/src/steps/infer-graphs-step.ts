import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { sharedRowsIn } from "../dist/shared-rows.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { placeFeatures } from "../features/place-features.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { writeNpy } from "../io/npy.ts";
import { readSafetensors } from "../io/safetensors.ts";
import { outputWidth } from "../nn/output-layers.ts";
import type { InferredInfo } from "../spec/inferred-info.ts";
import type { ModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { withStructuralFeatures } from "../structural/structural-features.ts";
import { buildModel } from "../train/build-components.ts";
import { transformed } from "../train/feature-transforms.ts";
import { graphHeadOf } from "../train/graph-setup.ts";
import { inferredGraphs } from "../train/infer-graphs.ts";
import { withHead } from "../train/link-setup.ts";
import { assignWeights } from "../train/model-weights.ts";
import { readTransforms } from "../train/transforms-file.ts";
import { graphKit } from "../whole-graphs/graph-kit.ts";
import { graphSetOfParts, requireWholeGraphs } from "./graphs-to-learn.ts";
import { progressReporter } from "./progress-reporter.ts";
import type { InferStepOptions } from "./run-infer-step.ts";
import { stepInput } from "./step-input.ts";

/** The features of the data, with the columns of degrees that the model was trained with */
async function columnsOf(
  { rank, scratchDir, signal }: StepContext<InferStepOptions>,
  { structural, shape }: ModelInfo,
  { graph, features }: TrainingData,
): Promise<FeatureStore> {
  if (!structural) return features;
  const sharedRows = sharedRowsIn(scratchDir);
  return withStructuralFeatures({ graph, features, rank, sharedRows, seed: shape.seed, signal }, structural);
}

interface Trained {
  readonly artifact: ArtifactDir;
  readonly info: ModelInfo;
  readonly data: TrainingData;
}

/** Graphs computed at a time, over all ranks */
const batchSize = 256;

/**
 * The `infer` step of a model of whole graphs: `embeddings.npy` and `logits.npy` have a row for each graph, in the
 * order of the parts, whatever is known of them; null on other ranks than 0. Each rank computes its share.
 *
 * @throws GnnError MANIFEST_INVALID when the parts were cut for other tasks; CHECKPOINT_INVALID
 */
export async function inferGraphsStep(
  context: StepContext<InferStepOptions>,
  { artifact, info, data }: Trained,
): Promise<ManifestDraft<InferredInfo> | null> {
  const { rank, registry, signal, outDir, inputs } = context;
  const { component, options } = resolveTask(info.task, registry);
  if (component.seeds !== "graphs") throw new GnnError("SPEC_INVALID", `The model learnt ${component.name}.`);
  const parts = stepInput(inputs, "parts");
  requireWholeGraphs(parts);
  const set = await graphSetOfParts(parts, data);
  await placeFeatures(data.features, "auto");
  const features = transformed(
    await columnsOf(context, info, data),
    await readTransforms(artifact.dir, info.transforms),
  );
  const { model: encoder, numHops } = buildModel(info.model, info.shape, registry, data.graph);
  const { tensors } = await readSafetensors(join(artifact.dir, "model.safetensors"));
  const outDim = outputWidth(tensors);
  const head = graphHeadOf(component.head(options, graphKit), { outDim, seed: info.shape.seed });
  const model = withHead(encoder, head);
  assignWeights(model, tensors.values());
  const onProgress = progressReporter(context);
  const numGraphs = set.offsets.length - 1;
  const rows = await inferredGraphs(
    {
      model,
      numHops,
      features,
      set,
      batchSize,
      rank,
      signal,
      onProgress: (done) => onProgress(done, numGraphs),
    },
    { head, offsets: set.offsets, outDim, scaling: info.targetScaling },
  );
  model.dispose();
  if (rank.rank !== 0) return null;
  const dim = head.embeddingDim;
  await writeNpy(join(outDir, "embeddings.npy"), "float32", [numGraphs, dim], rows.embeddings);
  await writeNpy(join(outDir, "logits.npy"), "float32", [numGraphs, outDim], rows.outputs);
  return {
    info: {
      numNodes: numGraphs,
      layer: "lastHidden",
      dim,
      numClasses: outDim,
      temperature: info.calibration?.temperature ?? null,
      task: info.task,
    },
    blobs: [
      { name: "embeddings.npy", dtype: "float32", shape: [numGraphs, dim] },
      { name: "logits.npy", dtype: "float32", shape: [numGraphs, outDim] },
    ],
  };
}
