import { isNamedBy, type ModelInfo } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

type Weights = ModelInfo["weights"];
type StartedSpec = Pick<JobSpec, "model" | "startFrom">;

/**
 * What speaks against the layers that a job freezes, as far as the names of the kept model's weights tell. The first
 * thing found; null: nothing.
 *
 * @param weights  none where the model was kept before they were written down: its own training says then what is wrong
 */
export function freezeObjection({ model, startFrom }: StartedSpec, weights: Weights): TaskObjection | null {
  const freeze = startFrom?.freeze ?? [];
  if (freeze.length === 0) return null;
  if (model.options["norm"] === "batch") {
    const message =
      'Layers that are normalised by running statistics cannot be frozen, since these would move on; train with "norm": "layer" or none, and start from that.';
    return { pointer: "/startFrom/freeze", message };
  }
  if (weights.length === 0) return null;
  const unknown = freeze.findIndex((entry) => !weights.some(({ name }) => isNamedBy(entry, name)));
  if (unknown >= 0) {
    const names = weights.map(({ name }) => name);
    const listed =
      names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
    const message = `No layer or weight of the model to start from is called ${JSON.stringify(freeze[unknown])}; there are ${listed}.`;
    return { pointer: `/startFrom/freeze/${unknown}`, message };
  }
  if (frozenWeightsOf(freeze, weights).length < weights.length) return null;
  const message =
    "Every weight would stay as it is, so there is nothing to learn; leave a layer out, or apply the model.";
  return { pointer: "/startFrom/freeze", message };
}

/** Numbers in the weights that a job freezes. */
export function countFrozen({ startFrom }: Pick<JobSpec, "startFrom">, weights: Weights): number {
  const sizes = frozenWeightsOf(startFrom?.freeze ?? [], weights).map(({ shape }) => shape.reduce((a, b) => a * b, 1));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function frozenWeightsOf(freeze: readonly string[], weights: Weights): Weights {
  return weights.filter(({ name }) => freeze.some((entry) => isNamedBy(entry, name)));
}
