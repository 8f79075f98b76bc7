import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { LinkWork } from "./link-estimate.ts";

/**
 * How many pairs are scored to find new neighbours, and how many are listed, as `topOfAll` does it.
 *
 * @param perType new neighbours listed of a node, of each type that its own reaches
 */
export function rankedWork(
  { numNodes, schema }: Pick<GraphInfo, "numNodes" | "schema">,
  perType: number,
): Pick<LinkWork, "isTyped" | "numRanked" | "numListed" | "mostListed"> {
  const size = new Map(schema?.nodeTypes.map(({ name, count }) => [name, count]));
  const isTyped = [...size.values()].filter((count) => count > 0).length > 1;
  if (!schema || !isTyped) {
    return { isTyped: false, numRanked: numNodes ** 2, numListed: numNodes * perType, mostListed: perType };
  }
  const targets = new Map<string, Set<string>>();
  for (const { source, target } of schema.relations) {
    targets.set(source, (targets.get(source) ?? new Set()).add(target));
  }
  const sizeOf = (type: string) => size.get(type) ?? 0;
  const sumOver = (value: (source: string, reached: ReadonlySet<string>) => number) =>
    [...targets].reduce((sum, [source, reached]) => sum + sizeOf(source) * value(source, reached), 0);
  return {
    isTyped,
    numRanked: sumOver((_source, reached) => [...reached].reduce((sum, type) => sum + sizeOf(type), 0)),
    numListed: sumOver((_source, reached) => reached.size * perType),
    mostListed: perType * Math.max(1, ...[...targets.values()].map(({ size }) => size)),
  };
}
