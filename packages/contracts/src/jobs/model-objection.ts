import { type Registry, resolveTask, taskComponentOf } from "@hopwise/gnn-core/spec";
import { featureObjection } from "./feature-objection.ts";
import type { GraphForm } from "./graph-form.ts";
import { type CountedGraph, weightObjection } from "./graph-objection.ts";
import type { JobSpec } from "./job-spec.ts";
import { namesOf } from "./names-of.ts";
import { typesObjection } from "./types-as-learnt.ts";

/** Why a model cannot be applied to a graph, and the field of the infer spec that says so. */
export interface ModelObjection {
  readonly pointer: "/model" | "/dataset";
  readonly message: string;
}

/** What decides of a trained model where it can be applied. */
export type TrainedSpec = Pick<JobSpec, "task" | "features" | "model">;

/**
 * What does not fit between a model and a graph other than its own. The first thing found; null: it fits. Rows that it
 * learned of single nodes are found by their ids (`unnamedRowsObjection`).
 *
 * @param trained the form of the graph that it was trained on
 */
export function modelObjection(
  spec: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm & Pick<CountedGraph, "weights">,
  registry: Registry,
): ModelObjection | null {
  const ofModel = boundToItsGraph(spec) ?? unwrittenObjection(spec, trained, registry);
  if (ofModel) return { pointer: "/model", message: ofModel };
  const ofGraph =
    subjectObjection(spec, trained, graph, registry) ??
    featureObjection(trained, graph) ??
    typesObjection(trained, graph) ??
    directionObjection(trained, graph) ??
    weightsObjection(spec, trained, graph, registry);
  return ofGraph === null ? null : { pointer: "/dataset", message: ofGraph };
}

/** Versions that an earlier release has kept do not say in which order their classes are counted. */
function unwrittenObjection({ task }: TrainedSpec, trained: GraphForm, registry: Registry): string | null {
  const { seeds } = taskComponentOf(task, registry);
  if (seeds === "edgeRows" && !trained.labelledEdges)
    return "An earlier release kept this version without the classes of its edges; train it again, and keep that model.";
  if (seeds !== "graphs" || trained.setOfGraphs) return null;
  return "An earlier release kept this version without the classes of its graphs; keep the model of its job under another name, or train again.";
}

/** What is predicted is of the same kind of things. */
function subjectObjection(
  { task }: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm,
  registry: Registry,
): string | null {
  const { component, options } = resolveTask(task, registry);
  if (component.seeds === "edges" && graph.numEdges === 0) return "The model learnt links, and the dataset has none.";
  if (component.seeds === "edgeRows")
    return edgesObjection(component.featuresOfEdges(options), trained.labelledEdges, graph.labelledEdges);
  if (component.seeds !== "graphs" || graph.setOfGraphs) return null;
  return `The model learnt whole graphs, and the dataset is one graph; map the graph of every node and a table of graphs, whose labels may be left out.`;
}

/**
 * Why the weights of a model can be applied, but neither trained on from nor uploaded: those behind its encoder are of
 * no node. null: they can.
 */
export function headObjection({ task }: TrainedSpec, registry: Registry): string | null {
  const { seeds } = taskComponentOf(task, registry);
  if (seeds !== "graphs" && seeds !== "edgeRows" && seeds !== "edges") return null;
  const what = { graphs: "whole graphs", edgeRows: "labels of edges", edges: "links" }[seeds];
  return `The model learnt ${what}; such models are applied to other data, but no training starts from one, and none is uploaded. Train it here.`;
}

/**
 * What a model counts its outputs in: classes of nodes, of graphs or of edges, by what it learnt.
 *
 * @param trained the form of the graph that it was trained on
 */
export function classesLearnt(
  { task }: Pick<TrainedSpec, "task">,
  trained: GraphForm,
  registry: Registry,
): readonly string[] {
  const { seeds } = taskComponentOf(task, registry);
  if (seeds === "graphs") return trained.setOfGraphs?.classes ?? [];
  return seeds === "edgeRows" ? (trained.labelledEdges?.classes ?? []) : trained.classes;
}

type LabelledEdges = GraphForm["labelledEdges"];

function edgesObjection(readsFeatures: boolean, read: LabelledEdges, found: LabelledEdges): string | null {
  if (!found)
    return "The model learnt labels of edges, and the dataset has none; map the column of the label, whose cells may all be empty, or of a number to predict.";
  if (!read) return null;
  if (read.relation !== found.relation) {
    const nameOf = (relation: string | null) => (relation === null ? "one table of edges" : `"${relation}"`);
    return `The model learnt labels of ${nameOf(read.relation)}, and the dataset has those of ${nameOf(found.relation)}; map the label there.`;
  }
  if (read.directed !== found.directed) {
    const order = read.directed ? "tells the two ends of an edge apart" : "takes both ends of an edge alike";
    return `The model ${order}, and the edges with labels are ${found.directed ? "directed" : "undirected"}; map them as they were.`;
  }
  if (!readsFeatures) return null;
  const at = found.features ? (read.features?.findIndex((name, i) => name !== found.features?.[i]) ?? -1) : -1;
  if (read.featureDim === found.featureDim && at < 0) return null;
  const listOf = ({ featureDim, features }: NonNullable<LabelledEdges>) =>
    features && features.length > 0 ? namesOf(features) : `${featureDim} columns`;
  return `The model reads ${listOf(read)} of each edge and the graph has ${listOf(found)}; map the same features of edges in the same order.`;
}

/** Columns that belong to one graph say nothing of any other. */
function boundToItsGraph({ features }: TrainedSpec): string | null {
  if (features.structural?.method === "identity") {
    return "The model has a column for each node that it was trained on (features.structural) and none for any other node. Train on the new version, or on features that new nodes have too.";
  }
  if (features.structural && features.structural.method !== "degree") {
    return "The model reads columns made from the edges of the graph that it was trained on (features.structural), and those of another graph mean something else. Train on the new version, or on features that new nodes have too.";
  }
  return null;
}

function directionObjection(trained: GraphForm, graph: GraphForm): string | null {
  if (trained.directed === graph.directed) return null;
  const kindOf = ({ directed }: GraphForm) => (directed ? "directed" : "undirected");
  return `The model was trained on ${kindOf(trained)} edges and the graph has ${kindOf(graph)} ones; set "directed" as it was.`;
}

function weightsObjection(
  { model }: TrainedSpec,
  trained: GraphForm,
  graph: GraphForm & Pick<CountedGraph, "weights">,
  registry: Registry,
): string | null {
  const { readsEdgeWeights, options } = registry.get("model", model.type);
  if (readsEdgeWeights?.(options.parse(model.options)) === false) return null;
  if (trained.hasWeights !== graph.hasWeights) {
    return trained.hasWeights
      ? `The model ${model.type} counts weights of edges and the graph has none; map the weight column.`
      : `The model ${model.type} was trained without weights of edges and would count those of the graph; build it without the weight column.`;
  }
  return weightObjection({ model }, graph, registry)?.message ?? null;
}
