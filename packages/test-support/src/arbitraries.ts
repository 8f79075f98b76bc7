import * as fc from "fast-check";
import type { NamedGraph } from "./graphs.ts";

export interface GraphLimits {
  readonly minNodes?: number;
  readonly maxNodes?: number;
  readonly maxEdges?: number;
}

/** Any directed graph within the limits: repeated edges, self-loops and isolated nodes included. */
export function arbitraryGraph({
  minNodes = 1,
  maxNodes = 50,
  maxEdges = 200,
}: GraphLimits = {}): fc.Arbitrary<NamedGraph> {
  return fc.integer({ min: minNodes, max: maxNodes }).chain((numNodes) => {
    const node = fc.nat(numNodes - 1);
    return fc.array(fc.tuple(node, node), { maxLength: maxEdges }).map((edges) => ({
      name: `${numNodes} nodes, ${edges.length} edges`,
      numNodes,
      src: edges.map(([src]) => src),
      dst: edges.map(([, dst]) => dst),
    }));
  });
}

/** Distinct original ids, the tempting ones (`007`, `1e5`, `-0`, emoji, commas, quotes, line breaks) among them. */
export function arbitraryIds(count: number): fc.Arbitrary<string[]> {
  const tempting = fc.constantFrom(
    "007",
    "7",
    "07",
    "1e5",
    "100000",
    "000413E7",
    "-0",
    "0",
    "+1",
    "1",
    "🦉",
    "a,b",
    'q"q',
    "x\ny",
    " 1",
    "NaN",
    "null",
  );
  const any = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((id) => !id.includes("\0"));
  const id = fc.oneof(tempting, any, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n }).map(String));
  return fc.uniqueArray(id, { minLength: count, maxLength: count });
}
