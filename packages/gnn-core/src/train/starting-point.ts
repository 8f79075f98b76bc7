import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type NamedTensor, readSafetensors } from "../io/safetensors.ts";
import type { GnnModel } from "../nn/model.ts";
import { readModelInfo } from "../spec/model-info.ts";
import type { StartLayers } from "../spec/start-options.ts";
import type { FittedTransform } from "./feature-transforms.ts";
import { withFrozenLayers } from "./frozen-layers.ts";
import { assignWeights } from "./model-weights.ts";
import { readTransforms } from "./transforms-file.ts";

/** A trained model that another training begins with. */
export interface StartingPoint {
  readonly weights: readonly NamedTensor[];
  /** What its features went through: the weights mean something only behind the same transforms */
  readonly transforms: readonly FittedTransform[];
  readonly layers: StartLayers;
  /** Layers or weights that stay as they are, by their names or how these begin (`layers.0`). Left out: none */
  readonly freeze?: readonly string[];
}

/** @throws GnnError MANIFEST_INVALID, CHECKPOINT_INVALID when the artifact is not a whole model */
export async function readStartingPoint(
  model: ArtifactDir,
  layers: StartLayers,
  freeze: readonly string[] = [],
): Promise<StartingPoint> {
  const { transforms } = readModelInfo(model);
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  return { weights: [...tensors.values()], transforms: await readTransforms(model.dir, transforms), layers, freeze };
}

/**
 * Gives a new model the weights of a trained one; of `hidden` layers all whose shapes do not follow from the number of
 * outputs.
 *
 * @param buildWith  the same model with another number of outputs; disposed of here
 * @returns names of the weights that were taken over
 * @throws GnnError CHECKPOINT_INVALID naming the first weight that is missing or has another shape; SPEC_INVALID when
 * the shape of every weight follows from the number of outputs
 */
export function startModel(
  model: GnnModel,
  { weights, layers }: StartingPoint,
  outDim: number,
  buildWith: (outDim: number) => GnnModel,
): ReadonlySet<string> {
  if (layers === "all") {
    assignWeights(model, weights);
    return namesOf(model.variables);
  }
  const wider = buildWith(outDim + 1);
  const shapes = shapesOf(wider);
  wider.dispose();
  const isHidden = ({ name, variable }: Stored) => shapes.get(name) === variable.shape.join();
  const variables = model.variables.filter(isHidden);
  if (variables.length === 0) {
    const pointer = "/startFrom/layers";
    const message = `${pointer}: every weight of this model belongs to its last layer, so there is nothing to take over; ask for "all".`;
    throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
  }
  assignWeights({ variables, buffers: model.buffers?.filter(isHidden) ?? [] }, weights);
  return namesOf(variables);
}

function namesOf(variables: readonly Stored[]): ReadonlySet<string> {
  return new Set(variables.map(({ name }) => name));
}

/** Does what `startModel` does, and gives the model with what is frozen among its buffers. */
export function startedModel(
  model: GnnModel,
  start: StartingPoint,
  outDim: number,
  buildWith: (outDim: number) => GnnModel,
): GnnModel {
  const taken = startModel(model, start, outDim, buildWith);
  return withFrozenLayers(model, start.freeze ?? [], taken);
}

type Stored = GnnModel["variables"][number];

function shapesOf({ variables, buffers = [] }: GnnModel): ReadonlyMap<string, string> {
  return new Map([...variables, ...buffers].map(({ name, variable }) => [name, variable.shape.join()]));
}

/** @throws GnnError SPEC_INVALID when the features would go through other transforms than those of the trained model */
export function requireEqualTransforms(asked: readonly string[], { transforms }: StartingPoint): void {
  const fitted = transforms.map(({ type }) => type);
  if (asked.join() === fitted.join()) return;
  const pointer = "/features/transforms";
  const message = `${pointer}: found [${asked.join(", ")}], and the model to start from was trained with [${fitted.join(", ")}]; ask for the same.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
