import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { sharedRowsIn } from "../dist/shared-rows.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { placeFeatures } from "../features/place-features.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ArtifactDir, ManifestDraft } from "../io/manifest.ts";
import { writeNpy } from "../io/npy.ts";
import { readSafetensors } from "../io/safetensors.ts";
import type { InferredInfo } from "../spec/inferred-info.ts";
import type { ModelInfo } from "../spec/model-info.ts";
import { withStructuralFeatures } from "../structural/structural-features.ts";
import { buildModel } from "../train/build-components.ts";
import { transformed } from "../train/feature-transforms.ts";
import { headOfGraphs } from "../train/graph-setup.ts";
import { inferredGraphs } from "../train/infer-graphs.ts";
import { withHead } from "../train/link-setup.ts";
import { assignWeights } from "../train/model-weights.ts";
import { readTransforms } from "../train/transforms-file.ts";
import type { GraphLearning } from "../whole-graphs/graph-task.ts";
import { progressReporter } from "./progress-reporter.ts";
import type { InferStepOptions } from "./run-infer-step.ts";

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
  readonly graphs: GraphLearning;
}

/** Graphs computed at a time, over all ranks */
const batchSize = 256;

/**
 * The `infer` step of a model of whole graphs: `embeddings.npy` and `logits.npy` have a row for each graph, in the
 * order of the parts. Each rank computes its share; rank 0 writes all of them.
 */
export async function inferGraphsStep(
  context: StepContext<InferStepOptions>,
  { artifact, info, data, graphs }: Trained,
): Promise<ManifestDraft<InferredInfo> | null> {
  const { rank, registry, signal, outDir } = context;
  await placeFeatures(data.features, "auto");
  const features = transformed(
    await columnsOf(context, info, data),
    await readTransforms(artifact.dir, info.transforms),
  );
  const { model: encoder, numHops } = buildModel(info.model, info.shape, registry, data.graph);
  const { head, task } = headOfGraphs(graphs, info.shape.seed);
  const model = withHead(encoder, head);
  assignWeights(model, (await readSafetensors(join(artifact.dir, "model.safetensors"))).tensors.values());
  const onProgress = progressReporter(context);
  const numGraphs = graphs.set.offsets.length - 1;
  const rows = await inferredGraphs(
    {
      model,
      numHops,
      features,
      set: graphs.set,
      batchSize,
      rank,
      signal,
      onProgress: (done) => onProgress(done, numGraphs),
    },
    { task, head, offsets: graphs.set.offsets },
  );
  model.dispose();
  if (rank.rank !== 0) return null;
  const [dim, outDim] = [head.embeddingDim, task.outDim];
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
