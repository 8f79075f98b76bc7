import { hashText } from "../random/hash-text.ts";

/**
 * Some new neighbours of a node, best first, by original ids; where nodes have types, with the place of what leads to
 * each in `reached` of the artifact.
 */
export type NeighborList = readonly (readonly [id: string, score: number, reached?: number])[];

/** In which part of `lists.jsonl` of a `recommended` artifact a node is. */
export function bucketOf(id: string, numBuckets: number): number {
  return hashText(id) % numBuckets;
}

/** The list of one node in the text of its bucket; null: it is not there. */
export function findInBucket(text: string, id: string): NeighborList | null {
  const begin = `[${JSON.stringify(id)},`;
  const line = text.split("\n").find((one) => one.startsWith(begin));
  return line === undefined ? null : (JSON.parse(line) as [string, NeighborList])[1];
}
