import { setImmediate as nextTurn } from "node:timers/promises";
import { CsrFeatureStore } from "../features/csr-feature-store.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { sharedCopy } from "./shared-copy.ts";

/** All rows of a feature store as arrays on shared memory. */
type PortableFeatures =
  | { readonly kind: "dense"; readonly dim: number; readonly values: Float32Array }
  | {
      readonly kind: "csr";
      readonly dim: number;
      readonly indptr: BigInt64Array;
      readonly indices: Int32Array;
      readonly values: Float32Array;
    };

/** Training data that a worker thread can receive: numbers lie on shared memory, handles of native code are gone. */
export type PortableData = Omit<TrainingData, "features"> & { readonly features: PortableFeatures };

const chunkValues = 2 ** 20;

/** @throws the reason of `signal` when it is aborted */
export async function toPortable(data: TrainingData, signal: AbortSignal): Promise<PortableData> {
  const { features, ...rest } = data;
  return { ...(await sharedCopy(rest, signal)), features: await portableFeatures(features, signal) };
}

export function fromPortable({ features, ...rest }: PortableData): TrainingData {
  const { dim, values } = features;
  const store =
    features.kind === "dense"
      ? new DenseFeatureStore(dim, [values])
      : new CsrFeatureStore(dim, [{ indptr: features.indptr, indices: features.indices, values }]);
  return { ...rest, features: store };
}

/** Reads through the store's own interface, so that any implementation of it will do. */
async function portableFeatures(store: FeatureStore, signal: AbortSignal): Promise<PortableFeatures> {
  const chunks = chunksOf(store, signal);
  return store.kind === "dense" ? denseOf(store, chunks) : csrOf(store, chunks);
}

async function* chunksOf(store: FeatureStore, signal: AbortSignal): AsyncGenerator<FeatureRows> {
  const rowsPerChunk = Math.max(1, Math.floor(chunkValues / Math.max(1, store.dim)));
  for (let first = 0; first < store.numRows; first += rowsPerChunk) {
    signal.throwIfAborted();
    const count = Math.min(rowsPerChunk, store.numRows - first);
    yield await store.gatherAsync(Int32Array.from({ length: count }, (_, i) => first + i));
  }
}

async function denseOf({ numRows, dim }: FeatureStore, chunks: AsyncIterable<FeatureRows>): Promise<PortableFeatures> {
  const values = sharedFloats(numRows * dim);
  let end = 0;
  for await (const chunk of chunks) {
    values.set(chunk.values, end);
    end += chunk.values.length;
  }
  return { kind: "dense", dim, values };
}

async function csrOf({ numRows, dim }: FeatureStore, chunks: AsyncIterable<FeatureRows>): Promise<PortableFeatures> {
  const indptr = new BigInt64Array(new SharedArrayBuffer(8 * (numRows + 1)));
  const pieces: { readonly indices: Int32Array; readonly values: Float32Array }[] = [];
  let row = 0;
  let end = 0;
  for await (const chunk of chunks) {
    if (chunk.kind !== "csr") continue;
    const { indptr: offsets, indices, values } = chunk;
    for (let i = 1; i < offsets.length; i++) indptr[++row] = BigInt(end + (offsets[i] as number));
    end += indices.length;
    pieces.push({ indices, values });
  }
  const indices = new Int32Array(new SharedArrayBuffer(4 * end));
  const values = sharedFloats(end);
  let at = 0;
  for (const piece of pieces) {
    await nextTurn();
    indices.set(piece.indices, at);
    values.set(piece.values, at);
    at += piece.indices.length;
  }
  return { kind: "csr", dim, indptr, indices, values };
}

function sharedFloats(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(4 * length));
}
