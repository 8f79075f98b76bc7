import type { ArrayTypes, HostArrays, HostInts } from "../memory.ts";

/** What a hop of APPNP needs besides the rows (native/include/gnn/nn/appnp_hop.h). */
type AppnpShape<M extends ArrayTypes, B = M["block"]> = readonly [
  block: B,
  dim: number,
  alpha: number,
  edgeWeights: M["floats"],
  selfWeights: M["floats"],
  srcIds: M["ints"],
  key: HostInts,
  threshold: number,
  rowsOfH: number,
];

/** Hops of APPNP (native/binding/appnp_binding.cc). Outputs are written in place. */
export interface AppnpAddon<M extends ArrayTypes = HostArrays> {
  /** out [numDst, dim] = (1 − alpha)·Â·z + alpha·h[:numDst], entries of Â dropped by the key */
  appnpHop(...args: [...shape: AppnpShape<M>, z: M["floats"], h: M["floats"], out: M["floats"]]): void;
  /** dz [numSrc, dim], and dh[v] += alpha·dy_v; `reverseEdges` is `block.reverse.edges` */
  appnpHopGrad(
    ...args: [
      ...shape: AppnpShape<M, M["reversible"]>,
      reverseEdges: M["ints"],
      dy: M["floats"],
      dz: M["floats"],
      dh: M["floats"],
    ]
  ): void;
}
