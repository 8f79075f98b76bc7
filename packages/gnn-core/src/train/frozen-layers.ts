import { GnnError } from "../errors/gnn-error.ts";
import type { GnnModel } from "../nn/model.ts";
import { isNamedBy } from "../spec/start-options.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";

type Stored = GnnModel["variables"][number];

/**
 * The model with some of its weights among the buffers: stored and restored with the others, and without a gradient, a
 * share of the all-reduce or a state of the optimizer, so that they keep their bits on any number of ranks.
 *
 * @param whole   the model with whatever follows its layers
 * @param freeze  names of layers or weights, as `startFrom.freeze` has them
 * @param taken   names of the weights that were taken over from the trained model
 * @throws GnnError SPEC_INVALID with the place of a name that no weight has, or one that begins anew; when nothing
 * would be left to learn, or the layers are normalised by statistics that would move on
 */
export function withFrozenLayers(whole: GnnModel, freeze: readonly string[], taken: ReadonlySet<string>): GnnModel {
  if (freeze.length === 0) return whole;
  for (const [i, entry] of freeze.entries()) requireTaken(whole, entry, taken, `/startFrom/freeze/${i}`);
  if (hasBatchNorm(whole)) {
    const found = 'the layers are normalised by running statistics, which would move on; train with "norm": "layer"';
    throw refused("/startFrom/freeze", `${found}, or without one, and start from that`);
  }
  const isFrozen = ({ name }: Stored) => freeze.some((entry) => isNamedBy(entry, name));
  const variables = whole.variables.filter((each) => !isFrozen(each));
  if (variables.length === 0) {
    throw refused("/startFrom/freeze", "every weight would stay as it is, so there is nothing to learn; leave one out");
  }
  return { ...whole, variables, buffers: [...(whole.buffers ?? []), ...whole.variables.filter(isFrozen)] };
}

function requireTaken({ variables }: GnnModel, entry: string, taken: ReadonlySet<string>, pointer: string): void {
  const named = variables.filter(({ name }) => isNamedBy(entry, name));
  if (named.length === 0) {
    const names = variables.map(({ name }) => name).join(", ");
    throw refused(pointer, `no layer or weight is called "${entry}"; there are ${names}`);
  }
  const fresh = named.find(({ name }) => !taken.has(name));
  if (fresh) {
    throw refused(pointer, `${fresh.name} begins anew, and would stay at random numbers; freeze what is taken over`);
  }
}

function refused(pointer: string, found: string): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
