import { type LearnableGraph, type Registry, resolveTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** What is counted of a graph when it is built, as far as it decides whether a job can run. */
export interface CountedGraph {
  readonly features: { readonly kind: "none" | "dense" | "csr" };
  readonly classes: readonly string[];
  readonly numEdges?: number;
  readonly splits: { readonly train: number };
  /** Left out: it is one graph, and no set of them */
  readonly graphs?:
    | {
        readonly numGraphs: number;
        readonly classes: readonly string[];
        readonly splits: { readonly train: number };
        readonly folds: readonly { readonly name: string }[];
      }
    | undefined;
  /** Rows of edges that have something to be predicted; left out: there is nothing */
  readonly edgeRows?: LearnableGraph["edgeRows"];
  /** Names; a graph whose edges are all alike has one */
  readonly edgeTypes?: readonly string[];
  readonly weights?: { readonly column: string; readonly numNegative: number } | null | undefined;
}

/**
 * Why a graph that was built cannot be trained on as the spec says: what would otherwise show only when the ranks have
 * started, or never but in a ruined model.
 */
export function graphObjection(spec: JobSpec, graph: CountedGraph, registry: Registry): TaskObjection | null {
  return (
    featureObjection(spec, graph, registry) ??
    placementObjection(spec, graph) ??
    labelObjection(spec, graph, registry) ??
    weightObjection(spec, graph, registry) ??
    typeObjection(spec, graph, registry)
  );
}

/** Columns of one graph's edges and rows learned of its nodes mean nothing for another graph. */
const nodesOfGraphsHaveNone: TaskObjection = {
  pointer: "/features/structural",
  message:
    'The nodes have no features, and models of whole graphs need some that nodes of new graphs have too: have columns made from the number of their edges ("features": {"structural": {"method": "degree"}}), or map features and build the dataset again.',
};

const columnsOfTheirOwn: TaskObjection = {
  pointer: "/features/structural/method",
  message:
    'The method "identity" gives nodes columns where they have no features, and those of this graph have some: leave features.structural out, or build the graph again without features.',
};

function featureObjection(
  { features, task, model }: JobSpec,
  graph: CountedGraph,
  registry: Registry,
): TaskObjection | null {
  if (graph.features.kind !== "none" && features.structural?.method === "identity") return columnsOfTheirOwn;
  if (graph.features.kind === "dense") return null;
  if (graph.features.kind === "csr") return besideSparse({ features, model }, registry);
  if (resolveTask(task, registry).component.seeds === "graphs")
    return features.structural ? null : nodesOfGraphsHaveNone;
  if (features.structural || features.embedding || registry.get("model", model.type).randomRows) return null;
  const message =
    'The graph has no node features and models need some: have columns made from the edges ("features": {"structural": {}}), have rows learned ("features": {"embedding": {}}), or map features and build the graph again.';
  return { pointer: "/features/structural", message };
}

/** Rows of bags of words are held without their zeros, and nothing is put beside those. */
function besideSparse({ features, model }: Pick<JobSpec, "features" | "model">, registry: Registry) {
  const { readsFeatures, randomRows } = registry.get("model", model.type);
  if (readsFeatures === false || randomRows) return null;
  const added = (["structural", "embedding"] as const).find((name) => features[name]);
  if (!added) return null;
  const what = added === "structural" ? "columns made from the edges" : "learned rows";
  const message = `The graph's features are sparse, and ${what} can stand beside dense ones only; leave features.${added} out, or build the graph again with dense features or without any.`;
  return { pointer: `/features/${added}`, message };
}

/** Rows of bags of words are as long as they are: they go to a device with each batch. */
function placementObjection({ resources, features }: JobSpec, graph: CountedGraph): TaskObjection | null {
  if (resources.features === "auto" || resources.features === "host") return null;
  const { method } = features.structural ?? {};
  if (graph.features.kind === "dense" || (method && method !== "identity")) return null;
  const areSparse = graph.features.kind === "csr" || method === "identity";
  const found = areSparse ? "sparse" : "learned of the nodes alone";
  const message = `The features are ${found}, and dense ones alone can be placed; leave resources.features out.`;
  return { pointer: "/resources/features", message };
}

function labelObjection(
  { task, split, resources, partition }: JobSpec,
  graph: CountedGraph,
  registry: Registry,
): TaskObjection | null {
  const { component, options } = resolveTask(task, registry);
  const found = component.checkGraph?.(options, graph);
  if (found) return { pointer: `/task/${found.option}`, message: found.message };
  if (component.seeds === "graphs") {
    const isSplitByFolds = component.folds(options) !== null;
    return (
      tooFewGraphs(graph.graphs?.numGraphs ?? 0, resources, partition) ??
      (isSplitByFolds ? null : graphSplitObjection(split, graph))
    );
  }
  if (component.seeds !== "nodes") return null;
  if (split.type !== "column" || graph.splits.train > 0) return null;
  const message =
    'The split marks no node to learn from. Use "split": {"type": "random"}, or correct the split column and build the graph again.';
  return { pointer: "/split", message };
}

/** Each graph lies in one part, and every rank has one. */
export function tooFewGraphs(
  numGraphs: number,
  { ranks }: Pick<JobSpec["resources"], "ranks">,
  { options }: JobSpec["partition"],
): TaskObjection | null {
  if (ranks > numGraphs) {
    return { pointer: "/resources/ranks", message: `There are ${numGraphs} graphs for ${ranks} ranks; ask for fewer.` };
  }
  const { numParts } = options;
  if (typeof numParts !== "number" || numParts <= numGraphs) return null;
  const message = `There are ${numGraphs} graphs for ${numParts} parts; ask for fewer.`;
  return { pointer: "/partition/options/numParts", message };
}

function graphSplitObjection(split: JobSpec["split"], { graphs }: CountedGraph): TaskObjection | null {
  if (split.type !== "column" || (graphs?.splits.train ?? 0) > 0) return null;
  const message =
    'The split marks no graph to learn from. Use "split": {"type": "random"}, name a fold in task.testFold, or correct the split column of the graphs and build the dataset again.';
  return { pointer: "/split", message };
}

/** Sums of weights are divided by, or their roots taken: what is below zero makes the numbers of a model infinite. */
export function weightObjection(
  { model }: Pick<JobSpec, "model">,
  { weights }: Pick<CountedGraph, "weights">,
  registry: Registry,
): TaskObjection | null {
  if (!weights || weights.numNegative === 0) return null;
  const { readsEdgeWeights, options } = registry.get("model", model.type);
  if (!readsEdgeWeights?.(options.parse(model.options))) return null;
  const others = registry
    .list("model")
    .filter((other) => other.readsEdgeWeights?.(other.options.parse({})) === false)
    .map(({ name }) => name);
  const message = `The weights in "${weights.column}" are below zero on ${weights.numNegative} edges, and ${model.type} divides by their sums. Choose a model that does not count weights (${others.join(", ")}), or build the graph without that column.`;
  return { pointer: "/model/type", message };
}

/** What is learned of each type of edge needs edges of several. */
function typeObjection({ model, sampling }: JobSpec, { edgeTypes = [] }: CountedGraph, registry: Registry) {
  if (edgeTypes.length > 1) return relationObjection(sampling, edgeTypes);
  const { readsEdgeTypes, options } = registry.get("model", model.type);
  if (sampling.options["perRelation"] === true) {
    const message = "The graph has one type of edge, so there is nothing to draw of each; leave perRelation out.";
    return { pointer: "/sampling/options/perRelation", message };
  }
  if (!readsEdgeTypes?.(options.parse(model.options))) return null;
  const others = registry
    .list("model")
    .filter((other) => other.readsEdgeTypes === undefined && other.numHops(other.options.parse({})) > 0)
    .map(({ name }) => name);
  const message = `${model.type} learns weights for each type of edge, and the graph has no edge types. Map a column of the edges to their type and build the graph again, or choose a model for edges that are all alike (${others.join(", ")}).`;
  return { pointer: "/model/type", message };
}

/** Fanouts are given by names of relations, which the graph knows. */
function relationObjection({ options }: JobSpec["sampling"], edgeTypes: readonly string[]): TaskObjection | null {
  const named = Object.keys((options["relationFanouts"] as object | undefined) ?? {});
  const unknown = named.find((name) => !edgeTypes.includes(name));
  if (unknown === undefined) return null;
  const message = `The graph has no type of edge "${unknown}"; it has ${edgeTypes.join(", ")}.`;
  return { pointer: "/sampling/options/relationFanouts", message };
}
