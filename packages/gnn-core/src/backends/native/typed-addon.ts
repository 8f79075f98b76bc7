import type { EdgesByRelation } from "./relation-addon.ts";
import type { RelationLists } from "./relation-lists-addon.ts";
import type { NativeBlock, NativeRows } from "./sparse-addon.ts";

/** Dst rows in an order in which those alike lie together (native/include/gnn/sparse/alike_rows.h). */
export interface AlikeLists extends RelationLists {
  /** int32 [numDst], dst rows */
  readonly order: Int32Array;
  /** int32 [numTypes + 1], where the rows of each type begin in the order */
  readonly types: Int32Array;
}

/** What both passes of a layer on typed edges are told first. */
export type TypedLayerCall = readonly [
  ...edges: EdgesByRelation,
  order: Int32Array,
  numTypes: number,
  types: Int32Array,
  inDim: number,
  outDim: number,
  withRelu: boolean,
  x: Float32Array | NativeRows,
  weights: Float32Array,
  own: Float32Array,
  bias: Float32Array,
  means: Float32Array | null,
  out: Float32Array,
];

/** Layers on typed edges, on the processor alone (native/binding/typed_binding.cc). Outputs are written in place. */
export interface TypedAddon {
  /** @param rowTypes int32 [numDst]; empty where there is one type */
  alikeRows(
    block: NativeBlock,
    numRelations: number,
    relations: Int32Array,
    numTypes: number,
    rowTypes: Int32Array,
  ): AlikeLists;
  /**
   * out [numDst, outDim] = act(Σ_r mean_r(x) · weights[r] + x · own[type] + bias[type]); `means` [numByDst, inDim]
   * keeps mean_r(x) for the gradient, which overwrites them
   */
  typedConv(...call: TypedLayerCall): void;
  typedConvGrad(
    ...call: readonly [
      ...layer: TypedLayerCall,
      dy: Float32Array,
      dx: Float32Array | null,
      dWeights: Float32Array,
      dOwn: Float32Array,
      dBias: Float32Array,
      dropoutThreshold: number,
    ]
  ): void;
}
