import { AppError, type ExplainQuery, limits, type ServeAnswer, type ServedSource } from "@hopwise/contracts";
import type { ServedRows } from "@hopwise/gnn-core/serving";
import type { WarmRows } from "./warm-rows.ts";

type Explanation = ServeAnswer<"/explain">["explanation"];

let atWork = 0;

/**
 * Why the model that made some rows gives a node its class, a stored one or one that is given. Other questions are
 * answered between two steps of it.
 *
 * @param signal ends it between two steps
 * @throws AppError NODE_UNKNOWN, SPEC_INVALID, REQUEST_RATE_LIMITED; what `ServedModel.explain` throws
 */
export async function explainRow(
  warm: WarmRows,
  source: ServedSource,
  query: ExplainQuery,
  signal: AbortSignal,
): Promise<Explanation> {
  const rows = await warm.take(source);
  const { nodes } = query;
  const row = nodes.length > 0 ? nodes.findIndex(({ id }) => id === query.id) : rows.rowOf(query.id);
  if (row < 0) throw unknown(query.id);
  const target = targetOf(rows, query.class);
  const model = await warm.takeModel(source);
  if (atWork >= limits.explainedAtOnce) {
    throw new AppError("REQUEST_RATE_LIMITED", `${atWork} explanations are at work already; ask again soon.`);
  }
  atWork++;
  try {
    const { steps, seed, edges: topEdges, features: topFeatures } = query;
    const limited = { maxEdges: limits.explainedEdges, topEdges, topFeatures };
    const options = { ...limited, target, steps, seed, signal };
    const told = await (nodes.length > 0
      ? model.explainNew(nodes, row, (id) => rows.rowOf(id), options)
      : model.explain(row, options));
    const { featureNames: names, relations, numKnown } = model;
    const idAt = (node: number) => (node < numKnown ? rows.idAt(node) : (nodes[node - numKnown]?.id ?? ""));
    const { probability, fidelityPlus, fidelityMinus } = told;
    return {
      id: query.id,
      class: rows.classes[told.target] ?? String(told.target),
      probability,
      numEdges: told.edges.length,
      numFeatures: told.features.length,
      edges: told.edges.slice(0, topEdges).map(({ src, dst, weight, relation }) => ({
        from: idAt(src),
        to: idAt(dst),
        weight,
        ...(relation !== undefined && { relation: relations[relation] }),
      })),
      features: told.features
        .slice(0, topFeatures)
        .map(({ feature, weight }) => ({ name: names[feature] || String(feature), weight })),
      fidelityPlus,
      fidelityMinus,
    };
  } finally {
    atWork--;
  }
}

function targetOf({ classes }: ServedRows, asked: string | undefined): number | null {
  if (asked === undefined) return null;
  const target = classes.indexOf(asked);
  if (target >= 0) return target;
  const message = `The model knows no class ${JSON.stringify(asked.slice(0, 100))}; expected one of ${classes.slice(0, 20).join(", ")}.`;
  throw new AppError("SPEC_INVALID", message, { place: { pointer: "/class" } });
}

function unknown(id: string): AppError {
  const message = `The graph has no node ${JSON.stringify(id.slice(0, 100))}.`;
  return new AppError("NODE_UNKNOWN", message, { place: { pointer: "/id" } });
}
