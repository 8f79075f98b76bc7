import type { JobSpec } from "@hopwise/contracts";
import { type DatasetSpec, datasetSpec, type Registry, resolveTask } from "@hopwise/gnn-core/spec";

/**
 * What of a dataset's edges a training job leaves aside although its mapping took it: features of edges, which tasks on
 * labels of edges alone get to see, and types and weights, where the chosen ones do not tell or count them.
 *
 * @param mapping the DatasetSpec that the graph was ingested with
 * @returns a sentence for each, with the columns' names
 */
export function unreadColumns(spec: JobSpec, mapping: unknown, registry: Registry): string[] {
  const found = datasetSpec.safeParse(mapping);
  if (!found.success) return [];
  const { edges, relations, tu } = found.data;
  if (relations) return unreadOfRelations(relations, spec, registry);
  if (tu) return unreadOfTu(tu, spec, registry);
  if (!edges) return [];
  const { type, features, weight } = edges;
  return [
    ...(type === null || readsTypes(spec, registry) ? [] : [unreadType(`The column "${type}" holds`, spec, registry)]),
    ...(features.length === 0 || readsEdgeFeatures(spec, registry) ? [] : [unread(features)]),
    ...(weight === null || mayReadWeights(spec, registry) ? [] : [unreadWeight(weight, spec, registry)]),
  ];
}

type Relations = NonNullable<DatasetSpec["relations"]>;

function unreadOfRelations(relations: Relations, spec: JobSpec, registry: Registry): string[] {
  const weight = relations.find((relation) => relation.weight !== null)?.weight ?? null;
  const features = relations.flatMap((relation) => relation.features ?? []);
  return [
    ...(features.length === 0 || readsEdgeFeatures(spec, registry) ? [] : [unread(features)]),
    ...(readsTypes(spec, registry) ? [] : [unreadType("The relations are", spec, registry)]),
    ...(weight === null || mayReadWeights(spec, registry) ? [] : [unreadWeight(weight, spec, registry)]),
  ];
}

function unreadOfTu(
  { edgeLabels, edgeAttributes }: NonNullable<DatasetSpec["tu"]>,
  spec: JobSpec,
  registry: Registry,
): string[] {
  const isTypeRead = edgeLabels === null || readsTypes(spec, registry);
  return [
    ...(isTypeRead ? [] : [unreadType(`The file ${edgeLabels} holds`, spec, registry)]),
    ...(edgeAttributes === null || readsEdgeFeatures(spec, registry)
      ? []
      : [unreadFeatures(`The file ${edgeAttributes} holds`)]),
  ];
}

function unread(columns: readonly string[]): string {
  const names = columns.map((name) => `"${name}"`).join(", ");
  const subject = columns.length === 1 ? `The column ${names} holds` : `The columns ${names} hold`;
  return unreadFeatures(subject);
}

function unreadFeatures(subject: string): string {
  return `${subject} features of edges, which tasks on classes and numbers of edges alone read: kept with the graph, they do not change what is learned.`;
}

function readsEdgeFeatures({ task }: JobSpec, registry: Registry): boolean {
  const { component, options } = resolveTask(task, registry);
  return component.seeds === "edgeRows" && component.featuresOfEdges(options);
}

function readsTypes({ model }: JobSpec, registry: Registry): boolean {
  const { readsEdgeTypes, options } = registry.get("model", model.type);
  return readsEdgeTypes?.(options.parse(model.options)) ?? false;
}

function unreadType(subject: string, { model }: JobSpec, registry: Registry): string {
  const readers = registry
    .list("model")
    .filter(({ readsEdgeTypes, options }) => readsEdgeTypes?.(options.parse({})))
    .map(({ name }) => name);
  return `${subject} types of edges, which the model ${model.type} does not tell apart: all edges are alike to it. ${readers.join(", ")} learn of each type by itself.`;
}

function unreadWeight(column: string, { model, sampling }: JobSpec, registry: Registry): string {
  const readers = registry
    .list("model")
    .filter(({ readsEdgeWeights, options }) => readsEdgeWeights?.(options.parse({})))
    .map(({ name }) => name);
  return `The column "${column}" holds weights of edges, which neither the model ${model.type} as chosen nor the sampler ${sampling.type} counts: all edges weigh the same. ${readers.join(", ")} count them.`;
}

/**
 * Features made from the edges walk along them as a GCN does, by their weights; of a model that does not say, nothing
 * is claimed.
 */
function mayReadWeights({ model, sampling, features }: JobSpec, registry: Registry): boolean {
  if (features.structural) return true;
  const { readsEdgeWeights: ofModel, options } = registry.get("model", model.type);
  if (!ofModel || ofModel(options.parse(model.options))) return true;
  const sampler = registry.get("sampler", sampling.type);
  return sampler.readsEdgeWeights?.(sampler.options.parse(sampling.options)) ?? false;
}
