import fc from "fast-check";
import type { SmallGraph } from "./graph-artifact.ts";

/** Small graphs with repeated edges, self-loops and isolated nodes, and data in every column. */
export function smallGraphs(maxNodes = 24): fc.Arbitrary<SmallGraph> {
  return fc.integer({ min: 1, max: maxNodes }).chain((numNodes) => {
    const node = fc.integer({ min: 0, max: numNodes - 1 });
    const perNode = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: numNodes, maxLength: numNodes });
    return fc.array(fc.tuple(node, node), { maxLength: 80 }).chain((edges) =>
      fc.record({
        numNodes: fc.constant(numNodes),
        edges: fc.constant(edges),
        weights: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: edges.length, maxLength: edges.length }),
        labels: perNode(fc.integer({ min: -1, max: 3 })),
        split: perNode(fc.integer({ min: 0, max: 3 })),
        features: fc.oneof(
          fc.record({
            kind: fc.constant("dense" as const),
            rows: perNode(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 }))),
          }),
          fc.record({
            kind: fc.constant("csr" as const),
            dim: fc.constant(10),
            rows: perNode(
              fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 9 })), {
                selector: ([column]) => column,
                maxLength: 3,
              }),
            ),
          }),
        ),
      }),
    );
  });
}
