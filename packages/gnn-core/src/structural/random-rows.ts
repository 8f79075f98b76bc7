import type { Registry } from "../components/registry.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { VerySparseRows } from "./very-sparse-rows.ts";

/** The random rows that the chosen model reads in place of features; null: it reads none. */
export function randomRowsOf(
  model: { readonly type: string; readonly options: Record<string, unknown> },
  registry: Registry,
  graph: CscGraph,
  { dim, seed }: { readonly dim: number; readonly seed: number },
): FeatureStore | null {
  const component = registry.get("model", model.type);
  const asked = component.randomRows?.(component.options.parse(model.options));
  return asked ? new VerySparseRows(graph, { numRows: graph.numNodes, dim, seed, ...asked }) : null;
}
