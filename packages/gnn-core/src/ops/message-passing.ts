import { numEdgesOf } from "../backends/block-edges.ts";
import { add, mul, sub, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { checkBlockRows, dstOfEdges } from "./block-attrs.ts";
import { sddmmDot, spmmMul } from "./edge-products.ts";
import { gatherRows } from "./gather-rows.ts";
import { type Reduce, reduceEdges } from "./reduce-edges.ts";
import { spmmMean } from "./spmm.ts";
import { spmmMax } from "./spmm-max.ts";
import { weightedSpmm } from "./weighted-spmm.ts";

/** Rows at the two ends and on the edges; what an op does not read may be left out. */
export interface MessageInput {
  /** float32 [block.numSrc, dim] */
  readonly src?: Tensor2D;
  /** float32 [block.numDst, dim] */
  readonly dst?: Tensor2D;
  /** float32 [numEdges, dim] or [numEdges, 1], in the order of `block.indices` */
  readonly edge?: Tensor2D;
}

export type SpmmOp = "copySrc" | "copyEdge" | "mul" | "add" | "sub";
export type SddmmOp = "copySrc" | "copyDst" | "add" | "sub" | "mul" | "dot";

/**
 * Message and reduction in one: out_v = reduce{ src_u ∘ edge_e : e = u → v }, 0 without in-edges.
 * `copySrc`, and `mul` by one number per edge with `sum`, store no message; the rest holds them while it runs.
 * A whole graph is the block `await fullBlock(graph, 0, graph.numNodes)`. DGL: gspmm, copyLhs/copyRhs.
 *
 * @returns float32 [block.numDst, dim], owned by the caller; gradients flow to `src` and `edge`
 * @throws GnnError SHAPE_MISMATCH when rows are missing or their number is not the block's
 */
export function gspmm(block: Block, op: SpmmOp, reduce: Reduce, input: MessageInput): Tensor2D {
  return tidy(() => {
    if (op === "copyEdge") return reduceEdges(block, rowsOf("gspmm", input, "edge"), reduce);
    const src = rowsOf("gspmm", input, "src");
    checkBlockRows("gspmm", block, src.shape[0]);
    if (op === "copySrc") return reduceSrc(block, src, reduce);
    const edge = rowsOf("gspmm", input, "edge");
    checkRows("gspmm", "edge", edge, numEdgesOf(block));
    if (op === "mul" && reduce === "sum" && edge.shape[1] === 1) return spmmMul(block, src, edge);
    return reduceEdges(block, binary[op](gatherRows(src, block.indices), edge), reduce);
  });
}

/**
 * A value per edge from the rows at its ends: out_e = src_u ∘ dst_v for e = u → v. `dot` is ⟨src_u, dst_v⟩ and gathers
 * no rows. DGL: gsddmm, u_add_v and so on.
 *
 * @returns float32 [numEdges, dim], [numEdges, 1] for `dot`, owned by the caller; gradients flow to `src` and `dst`
 * @throws GnnError SHAPE_MISMATCH when rows are missing or their number is not the block's
 */
export function gsddmm(block: Block, op: SddmmOp, input: MessageInput): Tensor2D {
  return tidy(() => {
    const src = () => {
      const rows = rowsOf("gsddmm", input, "src");
      checkBlockRows("gsddmm", block, rows.shape[0]);
      return rows;
    };
    const dst = () => {
      const rows = rowsOf("gsddmm", input, "dst");
      checkRows("gsddmm", "dst", rows, block.numDst);
      return rows;
    };
    if (op === "dot") return sddmmDot(block, src(), dst());
    if (op === "copySrc") return gatherRows(src(), block.indices);
    if (op === "copyDst") return gatherRows(dst(), dstOfEdges(block));
    return binary[op](gatherRows(src(), block.indices), gatherRows(dst(), dstOfEdges(block)));
  });
}

/** What a message function of one's own sees: the rows of every edge. */
export interface EdgeRows {
  /** float32 [numEdges, dim] */
  readonly src: Tensor2D | null;
  readonly dst: Tensor2D | null;
  readonly edge: Tensor2D | null;
}
export type MessageFunction = SpmmOp | ((rows: EdgeRows) => Tensor2D);
export type ReduceFunction = Reduce | ((messages: Tensor2D, block: Block) => Tensor2D);
export type ApplyFunction = (reduced: Tensor2D, dst: Tensor2D | null) => Tensor2D;

/**
 * One round of message passing: h_v = apply(reduce{ message(src_u, dst_v, edge_e) : e = u → v }, dst_v).
 * Built-in names run fused where `gspmm` does; functions of one's own are ordinary tensor code with gradients.
 * DGL: graph.update_all. Gilmer et al. 2017 (arXiv:1704.01212), equations 1 and 2.
 *
 *   updateAll(block, { src: x }, "copySrc", "mean")
 *   updateAll(block, { src: x, dst: x0 }, ({ src, dst }) => relu(sub(src!, dst!)), "max", (max) => matMul(max, weight))
 *
 * @returns float32 [block.numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when rows do not fit the block
 */
export function updateAll(
  block: Block,
  input: MessageInput,
  message: MessageFunction,
  reduce: ReduceFunction,
  apply: ApplyFunction = (reduced) => reduced,
): Tensor2D {
  return tidy(() => {
    if (typeof message === "string" && typeof reduce === "string") {
      return apply(gspmm(block, message, reduce, input), input.dst ?? null);
    }
    const messages = typeof message === "string" ? builtIn(block, message, input) : message(edgeRows(block, input));
    const reduced = typeof reduce === "string" ? reduceEdges(block, messages, reduce) : reduce(messages, block);
    return apply(reduced, input.dst ?? null);
  });
}

const binary = {
  add: (a: Tensor2D, b: Tensor2D) => add<Tensor2D>(a, b),
  sub: (a: Tensor2D, b: Tensor2D) => sub<Tensor2D>(a, b),
  mul: (a: Tensor2D, b: Tensor2D) => mul<Tensor2D>(a, b),
};

function reduceSrc(block: Block, src: Tensor2D, reduce: Reduce): Tensor2D {
  if (reduce === "max") return spmmMax(block, src);
  if (reduce === "mean") return spmmMean(block, src);
  return weightedSpmm(block, src, { edgeWeights: null, selfWeights: null });
}

function edgeRows(block: Block, { src, dst, edge }: MessageInput): EdgeRows {
  return {
    src: src ? gsddmm(block, "copySrc", { src }) : null,
    dst: dst ? gsddmm(block, "copyDst", { dst }) : null,
    edge: edge ?? null,
  };
}

function builtIn(block: Block, op: SpmmOp, input: MessageInput): Tensor2D {
  if (op === "copyEdge") return rowsOf("updateAll", input, "edge");
  const src = gsddmm(block, "copySrc", input);
  return op === "copySrc" ? src : binary[op](src, rowsOf("updateAll", input, "edge"));
}

function rowsOf(op: string, input: MessageInput, name: keyof MessageInput): Tensor2D {
  const rows = input[name];
  if (rows) return rows;
  throw new GnnError("SHAPE_MISMATCH", `${op}: this operation reads \`${name}\` rows, which were not given.`);
}

function checkRows(op: string, name: string, rows: Tensor2D, expected: number): void {
  if (rows.shape[0] === expected) return;
  throw new GnnError("SHAPE_MISMATCH", `${op}: \`${name}\` has ${rows.shape[0]} rows; expected ${expected}.`);
}
