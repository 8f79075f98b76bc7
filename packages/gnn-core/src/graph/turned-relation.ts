/**
 * The relation of a link that is turned around: v → u of u → v. Each relation of the graph has one of its own, with
 * weights of its own, so that sources are predicted as targets are.
 * Lacroix et al. 2018, Canonical Tensor Decomposition, arXiv:1806.07297, section 3.
 *
 * @param relation     a relation of the graph, or one that was turned around, which gives the first again
 * @param numRelations relations of the graph
 */
export function turnedRelation(relation: number, numRelations: number): number {
  return relation < numRelations ? relation + numRelations : relation - numRelations;
}

/**
 * How many relations links are scored in: those of the graph, and of a directed graph each turned around. Links of an
 * undirected graph stand in both directions, from the one end by a relation and from the other by its reverse or
 * itself.
 */
export function numCodesOf(graph: { readonly numRelations: number; readonly directed: boolean }): number {
  return graph.directed ? 2 * graph.numRelations : graph.numRelations;
}
