import { areAlike, type FeatureBlock } from "./feature-blocks.ts";
import type { GraphForm } from "./graph-form.ts";
import { namesOf } from "./names-of.ts";
import { unlearntEdgeTypes } from "./types-as-learnt.ts";

/**
 * What of a graph a model does not read though it can be applied to it, in sentences for those who read the results.
 *
 * @param trained the graph that the model was trained on
 */
export function unreadByModel(trained: GraphForm, graph: GraphForm): string[] {
  const kinds = unknownKinds(trained.features.blocks ?? [], graph.features.blocks ?? []);
  const edges = unlearntEdgeTypes(trained, graph);
  return [
    ...(kinds.length > 0
      ? [
          `The model has not learnt some values that the graph has, and reads zeros in their place: ${kinds.join("; ")}.`,
        ]
      : []),
    ...(edges.length > 0
      ? [`The model has not learnt edges of the type ${namesOf(edges)}, and the job leaves them out.`]
      : []),
  ];
}

function unknownKinds(read: readonly FeatureBlock[], found: readonly FeatureBlock[]): string[] {
  return found.flatMap((block) => {
    const { type, made, dim, columns } = block;
    const name = type === null ? block.name : `${type}.${block.name}`;
    const same = read.find((learnt) => areAlike(learnt, block));
    if (!same || made === "numbers") return [];
    if (made === "indices") return dim > same.dim ? [`"${name}" from index ${same.dim} on`] : [];
    const known = new Set(same.columns);
    const unknown = (columns ?? []).filter((kind) => !known.has(kind));
    return unknown.length > 0 ? [`"${name}" ${namesOf(unknown)}`] : [];
  });
}
