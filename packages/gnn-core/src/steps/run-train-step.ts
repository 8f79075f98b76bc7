import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { sharedRowsIn } from "../dist/shared-rows.ts";
import { placeFeatures } from "../features/place-features.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import type { WrittenArray } from "../io/npy.ts";
import { writeSafetensors } from "../io/safetensors.ts";
import { parseSplitEdgesInfo } from "../spec/edge-rows-options.ts";
import type { ModelInfo } from "../spec/model-info.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";
import type { StartLayers } from "../spec/start-options.ts";
import type { TrainStepOptions } from "../spec/train-options.ts";
import { bestFile } from "../train/checkpoint.ts";
import type { FitResult } from "../train/fit-options.ts";
import { copyWeights } from "../train/model-weights.ts";
import { writeNodeEmbedding } from "../train/node-embedding-file.ts";
import { readStartVectors } from "../train/start-vectors.ts";
import { readStartingPoint } from "../train/starting-point.ts";
import { Trainer } from "../train/trainer.ts";
import { writeTransforms } from "../train/transforms-file.ts";
import { edgesToLearn } from "./edges-to-learn.ts";
import { graphsToLearn } from "./graphs-to-learn.ts";
import { linksToLearn, withMessagesLeft } from "./links-to-learn.ts";
import { nameRows } from "./name-rows.ts";
import { stepData } from "./step-data.ts";
import { stepInput } from "./step-input.ts";

export interface StartedTrainOptions extends TrainStepOptions {
  readonly startLayers?: StartLayers | undefined;
  readonly startFreeze?: readonly string[] | undefined;
}

/**
 * The `train` step: parts, and maybe a model to start from → model. Rank 0 writes the best weights and what is needed
 * to use them.
 */
export async function runTrainStep({
  options: { startLayers, startFreeze = [], ...options },
  ...others
}: StepContext<StartedTrainOptions>): Promise<ManifestDraft<ModelInfo> | null> {
  const context = { ...others, options };
  const { rank, registry, scratchDir, signal, endSignal, onEvent, resume } = context;
  const start = startLayers ? stepInput(context.inputs, "model") : null;
  const parts = stepInput(context.inputs, "parts");
  const asked = options.features.embedding?.vectors;
  const vectors = asked ? stepInput(context.inputs, "vectors") : null;
  const areRandom = registry.get("model", options.model.type).randomRows !== undefined;
  const data = await stepData(rank, parts, options.graph, { ...options.features, areRandom });
  await placeFeatures(data.features, options.features.storage);
  const links = await linksToLearn(context, data);
  const graphs = await graphsToLearn(context, data);
  const trainer = await Trainer.create({
    data,
    options: links ? withMessagesLeft(context, links) : options,
    links,
    graphs,
    edges: await edgesToLearn(context),
    rank,
    registry,
    sampler: (await rank.connectSampler?.()) ?? null,
    sharedRows: sharedRowsIn(scratchDir),
    start: start && startLayers ? await readStartingPoint(start, startLayers, startFreeze) : null,
    vectors: vectors && readStartVectors(vectors, asked?.frozen ?? false),
    dataDigest: [
      parts.manifest.digest,
      ...(start ? [start.manifest.digest, startLayers, ...startFreeze] : []),
      ...(vectors ? [vectors.manifest.digest] : []),
    ].join(" "),
  });
  try {
    const checkpointDir = join(scratchDir, "checkpoints");
    const result = await trainer.fit({ signal, ...(endSignal && { endSignal }), onEvent, resume, checkpointDir });
    const rowsFile = await writeNodeEmbedding(context.outDir, rank, trainer);
    return rank.rank === 0 ? await writeModel(context, trainer, result, rowsFile) : null;
  } finally {
    trainer.dispose();
  }
}

async function writeModel(
  { options, outDir, inputs, registry }: StepContext<TrainStepOptions>,
  trainer: Trainer,
  { epochs, steps, best, kept, metrics, confusion, calibration }: FitResult,
  rowsFile: WrittenArray | null,
): Promise<ManifestDraft<ModelInfo>> {
  await writeSafetensors(join(outDir, "model.safetensors"), copyWeights(trainer.model));
  const further = kept.slice(1).map(({ weights }, i) => ({ name: bestFile(i + 1), weights }));
  for (const { name, weights } of further) await writeSafetensors(join(outDir, name), weights);
  const transformsFile = await writeTransforms(outDir, trainer.transforms);
  const classes = classesOf(inputs, trainer);
  const { projectsTypes = false } = registry.get("model", options.model.type);
  const named = await nameRows(outDir, inputs, trainer, projectsTypes);
  const info: ModelInfo = {
    model: options.model,
    sampling: options.sampling,
    shape: trainer.shape,
    weights: trainer.weightShapes,
    task: trainer.taskSection,
    epochs,
    steps,
    best,
    kept: kept.map(({ epoch, metric }) => ({ epoch, metric })),
    metrics,
    confusion: confusion && { split: "test", classes, counts: confusion },
    calibration,
    targetScaling: trainer.outputScaling,
    edgeFeatureScaling:
      trainer.learns === "edges" ? parseSplitEdgesInfo(stepInput(inputs, "edgeRows")).featureScaling : null,
    transforms: options.features.transforms,
    structural: options.features.structural,
    embedding: options.features.embedding,
    learnedRows: named?.info ?? null,
  };
  return {
    info,
    blobs: [
      { name: "model.safetensors" },
      ...further.map(({ name }) => ({ name })),
      ...(transformsFile ? [{ name: transformsFile }] : []),
      ...(rowsFile ? [rowsFile] : []),
      ...(named?.blobs ?? []),
    ],
  };
}

/** What the confusion matrix counts: classes of nodes, of graphs or of edges */
function classesOf(inputs: StepContext["inputs"], { learns }: Trainer): string[] {
  if (learns === "edges") return parseSplitEdgesInfo(stepInput(inputs, "edgeRows")).classes;
  const parts = parsePartsInfo(stepInput(inputs, "parts"));
  return (learns === "graphs" ? (parts.graphs ?? parts.graph) : parts.graph).classes;
}
