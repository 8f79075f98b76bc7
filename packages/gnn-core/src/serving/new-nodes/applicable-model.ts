import type { TaskComponent } from "../../components/define-task.ts";
import type { Registry } from "../../components/registry.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import type { ModelInfo } from "../../spec/model-info.ts";

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

/** @throws GnnError SPEC_INVALID of a model with rows that belong to single nodes of a type without features */
export function assertNoLearnedRows({ shape }: ModelInfo): void {
  if (!shape.numLearnedRows) return;
  throw refused(
    `The model has learned rows of ${shape.numLearnedRows} nodes whose types have no features, in the order of its parts; give these types features, or look results up by ids.`,
  );
}

/** @throws GnnError SPEC_INVALID of a graph whose nodes or edges have types */
export function assertUntyped(graph: Pick<GraphInfo, "edgeTypes" | "nodeTypes" | "features">): void {
  const isTyped = graph.edgeTypes.length > 1 || graph.nodeTypes.length > 1 || graph.features.types !== undefined;
  if (isTyped) throw refused("The graph has several types of nodes or edges, and new nodes have none yet.");
}

function refused(why: string): GnnError {
  const instead = 'Add the nodes to a new version of the dataset, and train or apply a model there (kind "infer").';
  return new GnnError("SPEC_INVALID", `${why} ${instead}`, { place: { pointer: "/nodes" } });
}
