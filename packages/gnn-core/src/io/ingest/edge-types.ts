import { GnnError } from "../../errors/gnn-error.ts";
import { reverseName } from "../../graph/reverse-name.ts";
import type { EdgeRows } from "./read-edges.ts";
import { isTurned, type StoredEdges, type StoreRules } from "./store-edges.ts";

/** Names of the types of edges, and the type of each stored edge; null: all are alike. */
export interface EdgeTypes {
  readonly edgeTypes: string[];
  readonly edgeCodes: Int32Array | null;
}

/**
 * Those of the files, then those of the edges that lead back where they have types of their own.
 *
 * @throws GnnError DATASET_VALUE_INVALID when the files have a type that is called as the reverse of another
 */
export function edgeTypesOf(
  edges: EdgeRows,
  { rows, indices }: StoredEdges,
  rules: StoreRules,
  file: string,
): EdgeTypes {
  const { types, typeNames } = edges;
  if (!types) return { edgeTypes: ["edge"], edgeCodes: null };
  const { texts, finalCodes } = typeNames.finish();
  const leadsBack = isTurned(edges, rules);
  const codeOf = (row: number, e: number) =>
    finalCodes[types[row]!]! + (leadsBack(indices[e]!, row) ? texts.length : 0);
  const edgeCodes = Int32Array.from(rows, codeOf);
  if (!rules.reverseTypes) return { edgeTypes: texts, edgeCodes };
  const taken = texts.map(reverseName).find((name) => texts.includes(name));
  if (taken === undefined) return { edgeTypes: [...texts, ...texts.map(reverseName)], edgeCodes };
  const message = `The edges have a type "${taken}" of their own, which is what their reverse would be called. Set reverseTypes to false and directed to true: the reverse edges are in the files already.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file } });
}
