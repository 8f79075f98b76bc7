import type { TypesOfModel } from "@hopwise/gnn-core/spec";
import type { GraphForm } from "./graph-form.ts";
import { namesOf } from "./names-of.ts";

type Types = Pick<GraphForm, "nodeTypes" | "edgeTypes">;

/**
 * How a model counts the types of a graph that it is applied to. Both count them by their place among the names of all
 * that occur, so that a rare relation which a version lacks moves those behind it.
 *
 * @param trained types of the graph that the model was trained on
 * @param graph   those of the graph, which `typesObjection` has let pass
 * @returns null: they are the same
 */
export function typesAsLearnt(trained: Types, graph: Types): TypesOfModel | null {
  const areSame = sameNames(trained.nodeTypes, graph.nodeTypes) && sameNames(trained.edgeTypes, graph.edgeTypes);
  return areSame ? null : { nodes: trained.nodeTypes, edges: trained.edgeTypes };
}

/**
 * Why the types of a graph are none that a model can be applied to; null: it can. What the graph lacks does not occur,
 * and edges of types that the model does not know are left out; a node cannot be, as it has a row of its own.
 */
export function typesObjection(trained: Types, graph: Types): string | null {
  const nodes = graph.nodeTypes.filter((name) => !trained.nodeTypes.includes(name));
  if (nodes.length > 0) {
    return `The model knows no nodes of the type ${namesOf(nodes)}; leave them out, or train on a version that has them.`;
  }
  if (graph.edgeTypes.length === 0 || graph.edgeTypes.some((name) => trained.edgeTypes.includes(name))) return null;
  return `The model learnt from edges of the type ${namesOf(trained.edgeTypes)}, and the graph has none of these, but ${namesOf(graph.edgeTypes)}; call them as they were called.`;
}

/** Types of edges that the graph has and the model has not learnt, and does not read */
export function unlearntEdgeTypes(trained: Types, graph: Types): string[] {
  return graph.edgeTypes.filter((name) => !trained.edgeTypes.includes(name));
}

/**
 * Why no training can start from a model on the types of a graph to which it can be applied: it learns of the graph's
 * own types, which have to be those of the model. null: it can.
 */
export function sameTypesObjection(trained: Types, graph: Types): string | null {
  if (typesAsLearnt(trained, graph) === null) return null;
  const missing = [
    ...trained.nodeTypes.filter((name) => !graph.nodeTypes.includes(name)),
    ...trained.edgeTypes.filter((name) => !graph.edgeTypes.includes(name)),
  ];
  const further = unlearntEdgeTypes(trained, graph);
  const other = missing.length > 0 ? `the graph lacks ${namesOf(missing)}` : "the graph has them in another order";
  const found = further.length > 0 ? `it has not learnt ${namesOf(further)}` : other;
  return `A training starts from a model only on the types of nodes and edges that it has learnt, and ${found}. Apply the model as it is, or train from the beginning.`;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
