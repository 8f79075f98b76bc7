import { randomInt } from "node:crypto";
import { join } from "node:path";
import { int64At, int64Words } from "../../int64.ts";
import { mapNpy } from "../../npy-map.ts";
import type { FeatureInfo } from "../feature-sink.ts";
import { GrowableFloat64 } from "../growable.ts";
import { IntegerTable } from "../integer-table.ts";
import { splitCodes } from "../split-words.ts";
import type { GraphProfile } from "./graph-profile.ts";

/** Features of more values than this are not looked at: a further pass over 4 GiB would be felt. */
const maxValues = 2 ** 30;

/**
 * How many nodes of val and test have exactly the features of a node that is learned from, as the same object has that
 * came into the dataset twice. Rows of zeros alone say nothing, and are left out.
 *
 * @param outDir where the features of the graph were written
 * @param splits side of each node; nodes beyond them are on none
 * @returns null: there are no features, no such sides, or more values than are looked at
 */
export function measureRepeatedFeatures(
  outDir: string,
  { kind, dim, numValues }: FeatureInfo,
  splits: ArrayLike<number>,
): GraphProfile["repeatedFeatures"] {
  const has = (code: number) => Array.prototype.includes.call(splits, code);
  const hasSides = has(splitCodes.train) && (has(splitCodes.val) || has(splitCodes.test));
  if (kind === "none" || !hasSides || (numValues ?? dim * splits.length) > maxValues) return null;
  // Nobody can make features whose rows all meet in one slot of the table; what is counted does not depend on it.
  const salt = randomInt(2 ** 32) | 0;
  const keyOf = kind === "csr" ? csrKeys(outDir, salt) : denseKeys(outDir, dim, salt);
  const learned = new IntegerTable();
  const held = new GrowableFloat64();
  for (let node = 0; node < splits.length; node++) {
    const split = splits[node]!;
    if (split === splitCodes.none) continue;
    const key = keyOf(node);
    if (key === null) continue;
    if (split !== splitCodes.train) held.push(key);
    else if (learned.get(key) < 0) learned.add(key, 0);
  }
  let repeated = 0;
  for (const key of held.values) if (learned.get(key) >= 0) repeated++;
  return { heldOut: held.length, repeated };
}

type KeyOf = (node: number) => number | null;

function denseKeys(outDir: string, dim: number, salt: number): KeyOf {
  const { values } = mapNpy(join(outDir, "nodes/features.npy"), "float32");
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  return (node) => {
    const row = new RowHash(salt);
    for (let i = 0; i < dim; i++) row.add(i, bits[node * dim + i]!);
    return row.finish();
  };
}

function csrKeys(outDir: string, salt: number): KeyOf {
  const at = (name: string) => join(outDir, "nodes/features", name);
  const offsets = int64Words(mapNpy(at("indptr.npy"), "int64").values);
  const { values: columns } = mapNpy(at("indices.npy"), "int32");
  const { values } = mapNpy(at("data.npy"), "float32");
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  return (node) => {
    const row = new RowHash(salt);
    for (let i = int64At(offsets, node); i < int64At(offsets, node + 1); i++) row.add(columns[i]!, bits[i]!);
    return row.finish();
  };
}

/** Bits of −0, which is 0 all the same */
const negativeZero = 0x8000_0000;

/** Hash of the values of a row that are not zero, in whatever order they come: 52 bits of two sums. */
class RowHash {
  readonly #salt: number;
  #low = 0;
  #high = 0;
  #isZero = true;

  constructor(salt: number) {
    this.#salt = salt;
  }

  add(column: number, bits: number): void {
    if (bits === 0 || bits === negativeZero) return;
    this.#isZero = false;
    const mixed = mix(Math.imul(column, 0x9e3779b1) ^ mix(bits ^ this.#salt));
    this.#low = (this.#low + mixed) | 0;
    this.#high = (this.#high + mix(mixed ^ 0x7feb352d)) | 0;
  }

  /** null: a row of zeros */
  finish(): number | null {
    return this.#isZero ? null : (this.#high >>> 12) * 2 ** 32 + (this.#low >>> 0);
  }
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
