import { DeviceBlock } from "../backends/cuda/device-block.ts";
import type { Block } from "../graph/block.ts";
import type { MiniBatch } from "./mini-batch.ts";

/** Bytes of the arrays of a mini-batch; those of edges by src that nobody has read yet are none. */
export function batchBytes({ seeds, blocks, features, labels }: MiniBatch): number {
  const rows = features ? arraysOf(features) : [];
  return bytesOf([seeds, labels, ...rows]) + blocks.reduce((sum, block) => sum + bytesOfBlock(block), 0);
}

/** A block on a device counts what it has there. */
function bytesOfBlock(block: Block): number {
  return block instanceof DeviceBlock ? block.numBytes : bytesOf(arraysOfBlock(block));
}

function arraysOfBlock({ indptr, indices, srcIds, weights, importance, srcDegrees, types, reverse }: Block): unknown[] {
  return [indptr, indices, srcIds, weights, importance?.sum, importance?.mean, srcDegrees, types, ...arraysOf(reverse)];
}

function arraysOf(record: object): unknown[] {
  return Object.values(record);
}

function bytesOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
}
