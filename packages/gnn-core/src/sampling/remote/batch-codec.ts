import { gnnErrorCodes } from "../../errors/codes.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Block } from "../../graph/block.ts";
import { withReverse } from "../../graph/reverse-edges.ts";
import type { BatchKey } from "../sampler.ts";
import { malformed } from "./frames.ts";

/** Payloads are int32 and float32 arrays end to end, little-endian as every machine that the native library runs on. */

export interface BatchRequest extends BatchKey {
  readonly seeds: Int32Array;
}

/** epoch, step, seeds */
export function encodeRequest({ epoch, step, seeds }: BatchRequest): Uint8Array[] {
  return [Int32Array.of(epoch, step), seeds].map(bytesOf);
}

/** @throws GnnError RANK_LOST when it is not a request */
export function decodeRequest(payload: Uint8Array): BatchRequest {
  const numbers = new PayloadReader(payload);
  const [epoch, step] = numbers.int32(2) as unknown as [number, number];
  return { epoch, step, seeds: numbers.int32(numbers.left) };
}

const hasWeights = 1;
const hasImportance = 2;
const hasDegrees = 4;
const hasTypes = 8;

/**
 * The number of blocks; of each numSrc, numDst, numEdges and flags; then of each indptr, indices, srcIds and what the
 * flags say. The reverse is left out: whoever needs it sorts it.
 */
export function encodeBlocks(blocks: readonly Block[]): Uint8Array[] {
  const shapes = blocks.flatMap((block) => [block.numSrc, block.numDst, block.indices.length, flagsOf(block)]);
  return [Int32Array.of(blocks.length, ...shapes), ...blocks.flatMap(arraysOf)].map(bytesOf);
}

function flagsOf({ weights, importance, srcDegrees, types }: Block): number {
  const flags = (weights ? hasWeights : 0) | (importance ? hasImportance : 0);
  return flags | (srcDegrees ? hasDegrees : 0) | (types ? hasTypes : 0);
}

function arraysOf({ indptr, indices, srcIds, weights, importance, srcDegrees, types }: Block) {
  const { sum, mean } = importance ?? {};
  return [indptr, indices, srcIds, weights, sum, mean, srcDegrees, types].filter((array) => array != null);
}

/** @throws GnnError RANK_LOST when they are not blocks */
export function decodeBlocks(payload: Uint8Array): Block[] {
  const numbers = new PayloadReader(payload);
  const [numBlocks] = numbers.int32(1) as unknown as [number];
  const shapes = numbers.int32(numBlocks * 4);
  const blocks = Array.from({ length: numBlocks }, (_, i) => decodeBlock(numbers, shapes.subarray(i * 4, i * 4 + 4)));
  if (numbers.left > 0) throw malformed(`${numbers.left} numbers follow the blocks`);
  return blocks;
}

function decodeBlock(numbers: PayloadReader, shape: Int32Array): Block {
  const [numSrc, numDst, numEdges, flags] = shape as unknown as [number, number, number, number];
  if (numDst > numSrc) throw malformed(`a block has ${numDst} dst rows of ${numSrc} src rows`);
  const indptr = numbers.int32(numDst + 1);
  if (indptr[0] !== 0 || indptr[numDst] !== numEdges)
    throw malformed(`a block's offsets do not end at its ${numEdges} edges`);
  const rows = { indptr, indices: numbers.int32(numEdges), srcIds: numbers.int32(numSrc) };
  const weights = flags & hasWeights ? numbers.float32(numEdges) : null;
  const importance = flags & hasImportance ? { sum: numbers.float32(numEdges), mean: numbers.float32(numEdges) } : null;
  return withReverse({
    device: "cpu",
    numSrc,
    numDst,
    ...rows,
    weights,
    ...(importance ? { importance } : {}),
    ...(flags & hasDegrees ? { srcDegrees: numbers.float32(numSrc) } : {}),
    ...(flags & hasTypes ? { types: numbers.int32(numEdges) } : {}),
  });
}

/** Why a sampler could not draw, as text: `code` is null for what is no GnnError. */
export function encodeFailure(error: unknown): Uint8Array[] {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const { code = null, place } = error instanceof GnnError ? error : {};
  return [new TextEncoder().encode(JSON.stringify({ code, message, place }))];
}

/** @throws GnnError RANK_LOST when it is not one */
export function decodeFailure(payload: Uint8Array): Error {
  const { code, message, place } = parsed(payload);
  if (typeof message !== "string") throw malformed("a failure has no message");
  if (typeof code !== "string" || !(code in gnnErrorCodes)) return new Error(message);
  return new GnnError(code as GnnError["code"], message, { place: place as GnnError["place"] });
}

function parsed(payload: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(payload))) as Record<string, unknown>;
  } catch {
    throw malformed("a failure is not JSON");
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Takes arrays from the front of a payload, as views of it. */
class PayloadReader {
  readonly #payload: Uint8Array;
  #taken = 0;

  constructor(payload: Uint8Array) {
    if (payload.length % 4 !== 0) throw malformed(`a payload of ${payload.length} bytes does not hold whole numbers`);
    this.#payload = payload;
  }

  /** Numbers not taken yet */
  get left(): number {
    return this.#payload.length / 4 - this.#taken;
  }

  int32(length: number): Int32Array {
    return new Int32Array(this.#payload.buffer, this.#take(length), length);
  }

  float32(length: number): Float32Array {
    return new Float32Array(this.#payload.buffer, this.#take(length), length);
  }

  #take(length: number): number {
    if (length < 0 || length > this.left)
      throw malformed(`a payload has ${this.left} numbers left where ${length} are expected`);
    const offset = this.#payload.byteOffset + this.#taken * 4;
    this.#taken += length;
    return offset;
  }
}
