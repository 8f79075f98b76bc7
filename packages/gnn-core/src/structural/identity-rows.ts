import { CsrFeatureStore } from "../features/csr-feature-store.ts";

/**
 * A column for each node, in which it alone has a one: the identity matrix, sparse. The first layer's weights are then
 * rows of the nodes' own, one for each of its maps (Schlichtkrull et al. 2018, arXiv:1703.06103, section 4.1).
 *
 * @param numNodes rows and columns
 */
export function identityRows(numNodes: number): CsrFeatureStore {
  const indptr = BigInt64Array.from({ length: numNodes + 1 }, (_, i) => BigInt(i));
  const indices = Int32Array.from({ length: numNodes }, (_, i) => i);
  return new CsrFeatureStore(numNodes, [{ indptr, indices, values: new Float32Array(numNodes).fill(1) }]);
}
