import type { Registry } from "@hopwise/gnn-core/spec";
import type { GraphForm } from "./graph-form.ts";
import type { TrainedSpec } from "./model-objection.ts";

/** Whether a model has rows that it learned of single nodes. @param trained the form of the graph it was trained on */
export function hasLearnedRows(spec: TrainedSpec, trained: GraphForm, registry: Registry): boolean {
  return spec.features.embedding !== null || typeWithRows(spec, trained, registry) !== null;
}

/**
 * Why a model with learned rows cannot be applied where it does not say whose they are. null: it has none.
 *
 * @param trained the form of the graph that it was trained on
 */
export function unnamedRowsObjection(spec: TrainedSpec, trained: GraphForm, registry: Registry): string | null {
  const whose = rowsInWords(spec, trained, registry);
  if (whose === null) return null;
  return `${whose}, and does not say whose they are: an earlier release trained it. Train it again, and keep that model.`;
}

/** Why a model can be applied, but neither trained on from nor uploaded: learned rows lie beside its weights. */
export function rowsBesideWeightsObjection(spec: TrainedSpec, trained: GraphForm, registry: Registry): string | null {
  const whose = rowsInWords(spec, trained, registry);
  if (whose === null) return null;
  return `${whose}; such models are applied to other data, but no training starts from one, and none is uploaded. Train it here.`;
}

function rowsInWords(spec: TrainedSpec, trained: GraphForm, registry: Registry): string | null {
  if (spec.features.embedding) return "The model has a learned row for each node that it was trained on";
  const type = typeWithRows(spec, trained, registry);
  if (type === null) return null;
  return `The nodes of the type "${type}" have no features, so the model has a learned row for each of them`;
}

/** A type of nodes without features, where the model brings types to one width and edges have several types. */
function typeWithRows({ model }: TrainedSpec, trained: GraphForm, registry: Registry): string | null {
  const bare = trained.features.types?.find(({ dim }) => dim === 0);
  const projectsTypes = registry.get("model", model.type).projectsTypes ?? false;
  return bare && projectsTypes && trained.edgeTypes.length > 1 ? bare.name : null;
}
