import type { NativeBlock, NativeRows } from "./sparse-addon.ts";

/** Edges by relation as the addon makes them (native/include/gnn/sparse/relation_segments.h). */
export interface RelationLists {
  /** int32 [numRelations + 1] */
  readonly relations: Int32Array;
  /** int32 [segments] */
  readonly rows: Int32Array;
  /** int32 [segments + 1] */
  readonly indptr: Int32Array;
  /** int32 [numEdges] */
  readonly entries: Int32Array;
}

/** numSrc, numDst, numEdges, numRelations, segments by dst; then these segments. */
export type EdgesByRelation = [
  numSrc: number,
  numDst: number,
  numEdges: number,
  numRelations: number,
  numByDst: number,
  relations: Int32Array,
  rows: Int32Array,
  indptr: Int32Array,
  entries: Int32Array,
];

/** Aggregation over typed edges (native/binding/relation_binding.cc). Outputs are written in place. */
export interface RelationAddon {
  relationsByDst(block: NativeBlock, numRelations: number, types: Int32Array): RelationLists;
  relationsBySrc(...edges: EdgesByRelation): RelationLists;
  /** out [numDst, outDim] = Σ_r (sum or mean over the in-neighbours of relation r) · weights[r] */
  relationConv(
    ...call: [
      ...edges: EdgesByRelation,
      mean: boolean,
      inDim: number,
      outDim: number,
      x: Float32Array | NativeRows,
      weights: Float32Array,
      out: Float32Array,
    ]
  ): void;
  /** @param numBySrc 0 with empty lists where no dx is asked for, or there are no edges */
  relationConvGrad(
    ...call: [
      ...edges: EdgesByRelation,
      numBySrc: number,
      srcRelations: Int32Array,
      srcRows: Int32Array,
      srcIndptr: Int32Array,
      srcEntries: Int32Array,
      mean: boolean,
      inDim: number,
      outDim: number,
      x: Float32Array | NativeRows,
      weights: Float32Array,
      dy: Float32Array,
      dx: Float32Array | null,
      dWeights: Float32Array,
    ]
  ): void;
}
