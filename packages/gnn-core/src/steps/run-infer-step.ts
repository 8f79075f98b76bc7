import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import type { StepContext } from "../components/define-step.ts";
import { sharedNpy } from "../dist/shared-npy.ts";
import { sharedRowsIn } from "../dist/shared-rows.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { noFeatures } from "../features/no-features.ts";
import { placeFeatures } from "../features/place-features.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { FeaturePlacement } from "../host/feature-placement.ts";
import { embeddingLayer, inferNodes } from "../infer/infer-nodes.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import type { GnnModel } from "../nn/model.ts";
import type { FeatureLayoutOfModel } from "../spec/feature-layout-of-model.ts";
import type { InferredInfo } from "../spec/inferred-info.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { taskComponentOf } from "../spec/resolve-task.ts";
import { randomRowsOf } from "../structural/random-rows.ts";
import { withStructuralFeatures } from "../structural/structural-features.ts";
import { appliedModel } from "../train/applied-model.ts";
import { messageGraphOf, numHopsOf } from "../train/build-components.ts";
import { transformed } from "../train/feature-transforms.ts";
import { laidOutData } from "../train/laid-out-data.ts";
import { matchedRowsOf, withMatchedTypes } from "../train/matched-rows-file.ts";
import { withNodeEmbedding } from "../train/node-embedding-file.ts";
import { type PlacedForDevice, placeForDevice } from "../train/place-for-device.ts";
import { readTransforms } from "../train/transforms-file.ts";
import { inferGraphsStep } from "./infer-graphs-step.ts";
import { progressReporter } from "./progress-reporter.ts";
import { stepData } from "./step-data.ts";
import { stepInput } from "./step-input.ts";

export interface InferStepOptions {
  readonly chunkSize: number;
  readonly graph: "shared" | "partitioned";
  readonly featurePlacement?: FeaturePlacement | "auto" | undefined;
  readonly columns?: FeatureLayoutOfModel | undefined;
}

/**
 * The `infer` step: parts and model → `embeddings.npy` and `logits.npy` in GlobalId order, filled by all ranks. The
 * logits of a regression are predictions in the targets' own units.
 */
export async function runInferStep(
  context: StepContext<InferStepOptions>,
): Promise<ManifestDraft<InferredInfo> | null> {
  const { inputs, rank, options, signal, outDir } = context;
  await prepareBackend(rank.threads);
  const artifact = stepInput(inputs, "model");
  const info = readModelInfo(artifact);
  const areRandom = context.registry.get("model", info.model.type).randomRows !== undefined;
  const matched = inputs["matchedRows"] ?? null;
  const read = await stepData(rank, stepInput(inputs, "parts"), options.graph, { ...info, areRandom });
  const laidOut = options.columns ? laidOutData(read, options.columns) : read;
  const data = { ...laidOut, graph: withMatchedTypes(laidOut.graph, matched, info.learnedRows?.types?.count) };
  if (taskComponentOf(info.task, context.registry).seeds === "graphs") {
    return inferGraphsStep(context, { artifact, info, data });
  }
  const { applied: model } = await appliedModel(artifact, info, context.registry, data.graph);
  const graph = info.sampling ? await messageGraphOf(info.sampling, data.graph, context.registry) : data.graph;
  const features = await featuresRead(context, info, { data, graph });
  const scratch = sharedRowsIn(context.scratchDir);
  const made = { graph, features, rank, sharedRows: scratch, seed: info.shape.seed, signal };
  const known = info.structural ? await withStructuralFeatures(made, info.structural) : features;
  const { sharded } = await placeForInference(context, { model, info, graph, features: known });
  const columns = transformed(known, await readTransforms(artifact.dir, info.transforms));
  await inferNodes(
    {
      model,
      graph,
      features: info.embedding
        ? await withNodeEmbedding(artifact.dir, columns, {
            owners: data.owners ?? null,
            rowOf: matchedRowsOf(matched, "nodes", graph.numNodes),
            rank,
            sharedRows: scratch,
          })
        : columns,
      rank,
      signal,
      chunkSize: options.chunkSize,
      onProgress: progressReporter(context),
    },
    (name, dim) =>
      name === "embeddings" || name === "logits"
        ? sharedNpy(join(outDir, `${name}.npy`), graph.numNodes, dim)
        : scratch(name, graph.numNodes * dim),
  );
  await sharded?.close();
  const draft = draftOf(model, graph.numNodes, info);
  model.dispose();
  return rank.rank === 0 ? draft : null;
}

/** The features of the data, placed where they are read fast; random rows or none where the model reads none */
async function featuresRead(
  { registry }: StepContext<InferStepOptions>,
  { model, shape }: ModelInfo,
  { data, graph }: { readonly data: TrainingData; readonly graph: CscGraph },
): Promise<FeatureStore> {
  const random = randomRowsOf(model, registry, graph, { dim: shape.outDim, seed: shape.seed });
  if (random) return random;
  if (registry.get("model", model.type).readsFeatures === false) return noFeatures(graph.numNodes);
  await placeFeatures(data.features, "auto");
  return data.features;
}

/** A chunk's nodes with all their in-neighbours, which may be more than the mean of them */
const widestChunk = 2;

async function placeForInference(
  { options, rank, registry, onEvent }: StepContext<InferStepOptions>,
  { model, info, graph, features }: { model: GnnModel; info: ModelInfo; graph: CscGraph; features: FeatureStore },
): Promise<PlacedForDevice> {
  const edges = Math.ceil(((options.chunkSize * graph.numEdges) / Math.max(1, graph.numNodes)) * widestChunk);
  return placeForDevice({
    asked: options.featurePlacement,
    model,
    inDim: features.dim,
    numHops: numHopsOf(info.model, registry),
    batch: { rows: Math.min(graph.numNodes, options.chunkSize + edges), edges: Math.min(edges, graph.numEdges) },
    graph,
    features,
    rank,
    tell: (message, fields) => {
      if (rank.rank === 0) onEvent({ type: "log", level: "info", rank: 0, message, fields });
    },
  });
}

function draftOf(
  model: GnnModel,
  numNodes: number,
  { task, calibration }: Pick<ModelInfo, "task" | "calibration">,
): ManifestDraft<InferredInfo> {
  const { dim } = embeddingLayer(model);
  const numClasses = model.layers.at(-1)?.outDim ?? 0;
  return {
    info: { numNodes, layer: "lastHidden", dim, numClasses, temperature: calibration?.temperature ?? null, task },
    blobs: [
      { name: "embeddings.npy", dtype: "float32", shape: [numNodes, dim] },
      { name: "logits.npy", dtype: "float32", shape: [numNodes, numClasses] },
    ],
  };
}
