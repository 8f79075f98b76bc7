import { join } from "node:path";
import { prepareBackend } from "../backends/prepare-backend.ts";
import type { StepContext } from "../components/define-step.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NodeTypes } from "../graph/csc-graph.ts";
import type { ManifestDraft } from "../io/manifest.ts";
import { writeSafetensors } from "../io/safetensors.ts";
import { StepProgress } from "../io/step-progress.ts";
import { type UploadedFile, uploadedFilesOf } from "../io/uploaded-files.ts";
import { type AdoptOptions, modelCardFile } from "../spec/adopt-options.ts";
import type { ModelInfo } from "../spec/model-info.ts";
import { buildModel } from "../train/build-components.ts";
import { bestFile } from "../train/checkpoint.ts";
import { type ExpectedTensor, readExpectedTensors } from "../train/expected-tensors.ts";
import { shapesOfWeights } from "../train/model-weights.ts";
import { shapesOfTransforms, transformsFile } from "../train/transforms-file.ts";
import { stepInput } from "./step-input.ts";

const weightsFile = "model.safetensors";

/**
 * The `adopt` step: uploaded files of a model → model. Every tensor that the model is built with must be there with its
 * shape and finite values, and no other; what is written is what a training would have written of the same weights.
 *
 * @throws GnnError MODEL_INVALID naming the file, and the tensor
 */
export async function runAdoptStep(context: StepContext<AdoptOptions>): Promise<ManifestDraft<ModelInfo>> {
  const { inputs, registry, outDir, rank } = context;
  const { info, typeDims } = context.options;
  await prepareBackend(rank.threads);
  const files = new Map(uploadedFilesOf(stepInput(inputs, "files")).map((file) => [file.name, file]));
  const others = info.kept.slice(1).map((_, i) => bestFile(i + 1));
  requireKnown([...files.keys()], [weightsFile, ...others, transformsFile, modelCardFile]);
  const weights = requireFile(files, weightsFile);
  requireEnoughBytes(weights, info, registry);
  const expected = expectedWeights(info, typeDims, registry);
  const further = others.filter((name) => files.has(name));
  const fitted = shapesOfTransforms(info.transforms, info.shape.inDim);
  const onTensor = counting(context, expected.length * (1 + further.length) + fitted.length);
  for (const file of [weights, ...further.map((name) => requireFile(files, name))]) {
    await writeSafetensors(join(outDir, file.name), await readExpectedTensors(file, expected, onTensor));
  }
  if (fitted.length > 0) {
    const tensors = await readExpectedTensors(requireFile(files, transformsFile), fitted, onTensor);
    await writeSafetensors(join(outDir, transformsFile), tensors);
  }
  return {
    info: {
      ...info,
      weights: expected.map(({ name, shape }) => ({ name, shape: [...shape] })),
      kept: info.kept.slice(0, 1 + further.length),
    },
    blobs: [weightsFile, ...further, ...(fitted.length > 0 ? [transformsFile] : [])].map((name) => ({ name })),
  };
}

/** Tells of each tensor of all files as it is read, and ends when the step is cancelled. */
function counting(context: StepContext<AdoptOptions>, total: number): () => void {
  const progress = new StepProgress(context);
  let begun = 0;
  return () => progress.report("check weights", begun++, total, "tensors");
}

function requireKnown(names: readonly string[], known: readonly string[]): void {
  const other = names.find((name) => !known.includes(name));
  if (other === undefined) return;
  const message = `${other} is no file of this model; expected are ${known.join(", ")}.`;
  throw new GnnError("MODEL_INVALID", message, { place: { file: other } });
}

function requireFile(files: ReadonlyMap<string, UploadedFile>, name: string): UploadedFile {
  const found = files.get(name);
  if (found) return found;
  const there = [...files.keys()].join(", ");
  throw new GnnError("MODEL_INVALID", `The model has no file ${name}; uploaded are: ${there}. Upload it too.`, {
    place: { file: name },
  });
}

/** A card may describe a model that no memory holds: what is built is no larger than what was uploaded. */
function requireEnoughBytes({ name, bytes }: UploadedFile, { model, shape }: ModelInfo, registry: Registry): void {
  const component = registry.get("model", model.type);
  const numParameters = component.numParameters(component.options.parse(model.options), shape);
  if (numParameters * 4 <= bytes) return;
  const message = `${name} has ${bytes} bytes, and the model of the card has ${numParameters} weights of 4 bytes each; send the file and the card of one model.`;
  throw new GnnError("MODEL_INVALID", message, { place: { file: name } });
}

function expectedWeights(
  { model: choice, shape }: ModelInfo,
  typeDims: AdoptOptions["typeDims"],
  registry: Registry,
): readonly ExpectedTensor[] {
  const nodeTypes = typeDims && emptyTypes(typeDims);
  const { model } = buildModel(choice, shape, registry, nodeTypes ? { nodeTypes } : {});
  try {
    return shapesOfWeights(model);
  } finally {
    model.dispose();
  }
}

/** Types of a graph without nodes: enough to build a model by. */
function emptyTypes(dims: readonly number[]): NodeTypes {
  let first = 0;
  const columns = dims.map((dim) => {
    first += dim;
    return { first: first - dim, dim };
  });
  return { names: dims.map((_, i) => String(i)), codes: new Int32Array(), columns };
}
