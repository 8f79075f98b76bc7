import type { ArrayTypes, HostArrays } from "../memory.ts";

/** numSrc, numDst, numEdges, numRelations, segments by dst; then these segments. */
export type EdgesByRelation<Ints = Int32Array> = [
  numSrc: number,
  numDst: number,
  numEdges: number,
  numRelations: number,
  numByDst: number,
  relations: Ints,
  rows: Ints,
  indptr: Ints,
  entries: Ints,
];

/** Aggregation over typed edges (native/binding/relation_binding.cc). Outputs are written in place. */
export interface RelationAddon<M extends ArrayTypes = HostArrays> {
  /** out [numDst, outDim] = Σ_r (sum or mean over the in-neighbours of relation r) · weights[r] */
  relationConv(
    ...call: [
      ...edges: EdgesByRelation<M["ints"]>,
      mean: boolean,
      inDim: number,
      outDim: number,
      x: M["rows"],
      weights: M["floats"],
      out: M["floats"],
    ]
  ): void;
  /** @param numBySrc 0 with empty lists where no dx is asked for, or there are no edges */
  relationConvGrad(
    ...call: [
      ...edges: EdgesByRelation<M["ints"]>,
      numBySrc: number,
      srcRelations: M["ints"],
      srcRows: M["ints"],
      srcIndptr: M["ints"],
      srcEntries: M["ints"],
      mean: boolean,
      inDim: number,
      outDim: number,
      x: M["rows"],
      weights: M["floats"],
      dy: M["floats"],
      dx: M["floats"] | null,
      dWeights: M["floats"],
    ]
  ): void;
}
