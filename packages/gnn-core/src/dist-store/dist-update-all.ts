import type { GraphHandle } from "../backends/native/graph-addon.ts";
import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { agreeToContinue } from "../dist/agreement.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscPart } from "../graph/csc-graph.ts";
import { nativePart } from "../graph/native-graph.ts";
import {
  type ApplyFunction,
  type MessageFunction,
  type MessageInput,
  type ReduceFunction,
  updateAll,
} from "../ops/message-passing.ts";
import type { PartitionBook } from "../partition/partition-book.ts";
import { heldBlock } from "../sampling/full-block.ts";
import type { DistStore } from "./dist-store.ts";
import type { DistTensor } from "./dist-tensor.ts";
import { requestedAhead } from "./requested-ahead.ts";

/** Rows of all nodes and edges; what an op does not read may be left out. */
export interface DistMessageInput {
  /** A row for every node, wherever it lies */
  readonly src?: DistTensor<"float32">;
  readonly dst?: DistTensor<"float32">;
  /** A row for every edge, by relabelled edge id, such as `edata.weight` */
  readonly edge?: DistTensor<"float32">;
}

export interface DistUpdateOptions {
  /** Where the results go: a row for every node, with the node's owner (`createNodeData`). None of the inputs. */
  readonly into: DistTensor<"float32">;
  /** Left out: the reduced rows as they are */
  readonly apply?: ApplyFunction;
  /** Bounds the memory, does not change the results. Default 4096. */
  readonly nodesPerBatch?: number;
  readonly signal?: AbortSignal;
}

/** A rank's place in a partitioned graph. */
interface HeldGraph {
  readonly store: DistStore;
  readonly book: PartitionBook;
  /** This rank's nodes with their in-edges */
  readonly held: CscPart;
}

/** Consecutive nodes with all their in-edges. */
interface Batch {
  readonly block: Block;
  readonly firstNode: number;
  readonly firstEdge: number;
}

type Rows = { readonly [name in keyof MessageInput]?: Float32Array };

/** See `DistGraph.updateAll`. */
export async function distUpdateAll(
  graph: HeldGraph,
  input: DistMessageInput,
  message: MessageFunction,
  reduce: ReduceFunction,
  { into, apply, nodesPerBatch = 4096, signal = new AbortController().signal }: DistUpdateOptions,
): Promise<void> {
  checkTensors(graph.book, input, into);
  const { store, held } = graph;
  await store.publish();
  const width = widthOf(into);
  const part = nativePart(graph.book.numNodes, held);
  const batches = requestedAhead(
    Math.ceil(held.numNodes / nodesPerBatch),
    (i) => {
      const done = i * nodesPerBatch;
      return signal.aborted ? null : makeBatch(graph, part, done, Math.min(nodesPerBatch, held.numNodes - done));
    },
    (batch) => rowsOf(input, batch),
  );
  for await (const { batch, rows } of batches) {
    const { block, firstNode } = batch;
    const result = tidy(() => updateAll(block, tensorsOf(input, rows), message, reduce, apply));
    try {
      checkResult(result, block.numDst, width);
      into.local.set(result.dataSync<"float32">(), (firstNode - held.firstNode) * width);
    } finally {
      result.dispose();
    }
  }
  await agreeToContinue(store.rank.collective, signal);
}

async function makeBatch(
  { book, held, store }: HeldGraph,
  part: GraphHandle,
  done: number,
  count: number,
): Promise<Batch> {
  const firstNode = held.firstNode + done;
  const firstEdge = (book.edgeOffsets[store.rank.rank] as number) + Number(held.indptr[done]);
  return { block: await heldBlock(part, firstNode, count), firstNode, firstEdge };
}

/** As they lie with their owners; each row travels once. */
async function rowsOf({ src, dst, edge }: DistMessageInput, { block, firstNode, firstEdge }: Batch): Promise<Rows> {
  const [srcRows, dstRows, edgeRows] = await Promise.all([
    src?.get(block.srcIds),
    dst?.get(idsFrom(firstNode, block.numDst)),
    edge?.get(idsFrom(firstEdge, block.indices.length)),
  ]);
  return { ...(srcRows && { src: srcRows }), ...(dstRows && { dst: dstRows }), ...(edgeRows && { edge: edgeRows }) };
}

function tensorsOf(input: DistMessageInput, rows: Rows): MessageInput {
  const named = Object.entries(rows).map(([name, values]): [string, Tensor2D] => {
    const width = widthOf(input[name as keyof DistMessageInput] as DistTensor);
    return [name, tensor2d(values, [values.length / width, width])];
  });
  return Object.fromEntries(named);
}

/** @throws GnnError */
function checkTensors(book: PartitionBook, { src, dst, edge }: DistMessageInput, into: DistTensor): void {
  checkRows("src", src, book.numNodes);
  checkRows("dst", dst, book.numNodes);
  checkRows("edge", edge, book.numEdges);
  checkRows("into", into, book.numNodes);
  const { nodeOffsets } = book;
  if (into.offsets.some((offset, i) => offset !== nodeOffsets[i]) || into.readOnly) {
    throw new GnnError(
      "SPEC_INVALID",
      `updateAll: "${into.name}" cannot take the results: it is read-only, or its rows do not lie with the nodes' owners. Make it with createNodeData.`,
    );
  }
  if (into === src || into === dst) {
    const message = `updateAll: "${into.name}" is read while it would be written; write into another tensor.`;
    throw new GnnError("SPEC_INVALID", message);
  }
}

function checkRows(role: string, tensor: DistTensor | undefined, expected: number): void {
  if (!tensor || tensor.shape[0] === expected) return;
  const found = `\`${role}\` is "${tensor.name}" with ${tensor.shape[0]} rows`;
  throw new GnnError("SHAPE_MISMATCH", `updateAll: ${found}; expected ${expected}.`);
}

function checkResult({ shape }: Tensor2D, count: number, width: number): void {
  if (shape[0] === count && shape[1] === width) return;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `updateAll: the functions give [${shape.join(", ")}] for ${count} nodes; \`into\` has rows of ${width}.`,
  );
}

/** Numbers in a row */
function widthOf({ shape }: DistTensor): number {
  return shape.slice(1).reduce((product, size) => product * size, 1);
}

function idsFrom(first: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => first + i);
}
