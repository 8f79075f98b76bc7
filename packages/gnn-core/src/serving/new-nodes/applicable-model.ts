import type { TaskComponent } from "../../components/define-task.ts";
import type { Registry } from "../../components/registry.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import type { ModelInfo } from "../../spec/model-info.ts";
import { placeOf } from "./new-node.ts";

/**
 * What keeps a model from giving rows to nodes that are not stored, each named with what to do instead.
 *
 * @throws GnnError SPEC_INVALID
 */
export function assertInductive(info: ModelInfo, component: TaskComponent, registry: Registry): void {
  const { type } = info.model;
  if (info.embedding) {
    throw refused(`${type} was trained with a learned row for each node ("embedding"), and a new node has none.`);
  }
  if (info.structural) {
    throw refused('The model reads columns made from the edges of its graph ("structural"), and a new node has none.');
  }
  if (registry.get("model", type).randomRows || registry.get("model", type).readsFeatures === false) {
    throw refused(`${type} reads rows that were made for the nodes of its graph, and a new node has none.`);
  }
  if (component.seeds !== "nodes" && component.seeds !== "allNodes") {
    throw refused(`The task "${component.name}" tells of links, edges or whole graphs, and new nodes are single ones.`);
  }
}

/** @throws GnnError SPEC_INVALID of a set of graphs */
export function assertOneGraph({ graphs }: Pick<GraphInfo, "graphs">): void {
  if (graphs) throw refused("The dataset is a set of graphs; a node of none of them has no place there.");
}

/** Nodes with learned rows, as their types have no features and the model brings types to one width */
export function numLearnedRows({ model, shape }: ModelInfo, registry: Registry): number {
  return registry.get("model", model.type).projectsTypes ? (shape.numLearnedRows ?? 0) : 0;
}

/** Why learned rows say nothing without the order in which they lie */
export function withoutOrder(count: number): GnnError {
  const why = `The model has learned rows of ${count} nodes whose types have no features, in the order of the parts that it was trained on, which are not stored any more.`;
  return refused(why);
}

/** Why a new node gets no row where its type has learned ones in place of features */
export function withoutLearnedRow(type: string, at: number): GnnError {
  const why = `Nodes of the type ${type} have no features: the model has learned a row for each of them, and has none for new node ${at}.`;
  return refused(why, placeOf(at, "type"));
}

function refused(why: string, place = { pointer: "/nodes" }): GnnError {
  const instead = 'Add the nodes to a new version of the dataset, and train or apply a model there (kind "infer").';
  return new GnnError("SPEC_INVALID", `${why} ${instead}`, { place });
}
