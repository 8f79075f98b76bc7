import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { LinkWork } from "./link-estimate.ts";

/** A graph as far as rankings depend on it */
type RankedGraph = Pick<GraphInfo, "numNodes" | "schema"> & { readonly edgeTypes?: readonly string[] };

/**
 * How many pairs are scored to find new neighbours, and how many are listed, as `topOfAll` does it.
 *
 * @param perType        new neighbours listed of a node, of each type that its own reaches; 0: none are looked for
 * @param tellsRelations a pair is scored in each relation that leads from the one type to the other
 */
export function rankedWork(
  { numNodes, schema, edgeTypes = [] }: RankedGraph,
  perType: number,
  tellsRelations: boolean,
): Pick<LinkWork, "isTyped" | "numRanked" | "numListed" | "mostListed"> {
  if (perType === 0) return { isTyped: false, numRanked: 0, numListed: 0, mostListed: 0 };
  const size = new Map(schema?.nodeTypes.map(({ name, count }) => [name, count]));
  const isTyped = [...size.values()].filter((count) => count > 0).length > 1;
  if (!schema || !isTyped) {
    const numRelations = tellsRelations ? Math.max(1, edgeTypes.length) : 1;
    const numRanked = numNodes ** 2 * numRelations;
    return { isTyped: false, numRanked, numListed: numNodes * perType, mostListed: perType };
  }
  const targets = new Map<string, Map<string, number>>();
  for (const { source, target } of schema.relations) {
    const reached = targets.get(source) ?? new Map<string, number>();
    targets.set(source, reached.set(target, tellsRelations ? (reached.get(target) ?? 0) + 1 : 1));
  }
  const sizeOf = (type: string) => size.get(type) ?? 0;
  const sumOver = (value: (source: string, reached: ReadonlyMap<string, number>) => number) =>
    [...targets].reduce((sum, [source, reached]) => sum + sizeOf(source) * value(source, reached), 0);
  return {
    isTyped,
    numRanked: sumOver((_source, reached) =>
      [...reached].reduce((sum, [type, times]) => sum + sizeOf(type) * times, 0),
    ),
    numListed: sumOver((_source, reached) => reached.size * perType),
    mostListed: perType * Math.max(1, ...[...targets.values()].map(({ size }) => size)),
  };
}
