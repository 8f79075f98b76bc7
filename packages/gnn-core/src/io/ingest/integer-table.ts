import { randomInt } from "node:crypto";
import { loadAddon } from "../../backends/native/addon.ts";
import type { TextTableHandle } from "../../backends/native/ingest-addon.ts";
import { nativeSync } from "../../backends/native/native-error.ts";
import type { TextIdBatch } from "../table-source.ts";

/** Longest decimal whose every value is a safe integer. */
const maxDigits = 15;

/** The number that a canonical decimal of at most 15 digits names (`7`, `-3`; not `007`, `+7`, `-0`), else NaN. */
export function shortInteger(text: string): number {
  const start = text.charCodeAt(0) === 0x2d ? 1 : 0;
  const numDigits = text.length - start;
  if (numDigits < 1 || numDigits > maxDigits) return Number.NaN;
  if (text.charCodeAt(start) === 0x30) return text.length === 1 ? 0 : Number.NaN;
  let value = 0;
  for (let i = start; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return start === 1 ? -value : value;
}

/** Direct slots that are kept although most keys turn out to lie elsewhere. */
const minDirect = 2 ** 16;

/**
 * Table from safe integers to positions, over typed arrays that the native relabelling works on too
 * (native/include/gnn/ingest/integer_table.h). Keys from 0 to a few times their number index an array; the others
 * are hashed with open addressing, under a key of chance: no file can be made whose ids all meet in one slot. Positions
 * do not depend on it.
 */
export class IntegerTable {
  /** Position + 1 by key; 0 = free. */
  #direct = new Int32Array(1024);
  #keys = new Float64Array(1024);
  /** Position + 1; 0 = free. */
  #slots = new Int32Array(1024);
  #size = 0;
  #numHashed = 0;
  readonly #salt = new Int32Array([randomInt(2 ** 32), randomInt(2 ** 32)]);

  /** Position of the key, or -1. */
  get(key: number): number {
    const slot = key >= 0 && key < this.#direct.length ? this.#direct[key]! : 0;
    if (slot !== 0) return slot - 1;
    const mask = this.#slots.length - 1;
    for (let at = hashOf(key, this.#salt) & mask; ; at = (at + 1) & mask) {
      const found = this.#slots[at]!;
      if (found === 0) return -1;
      if (this.#keys[at] === key) return found - 1;
    }
  }

  /** Adds a key that is not yet there. */
  add(key: number, position: number): void {
    this.#reserve(1);
    this.#size++;
    if (key >= 0 && key < this.#direct.length) {
      this.#direct[key] = position + 1;
      return;
    }
    this.#numHashed++;
    this.#place(key, position + 1);
  }

  /**
   * Positions of both ends of every row, -1 where there is none.
   *
   * @param next with a number, keys that are not there get the positions from it on, in row order, src before dst
   * @returns the positions and, in their order, the keys that were added
   */
  relabelPairs(src: Float64Array, dst: Float64Array, next: number | null) {
    if (next !== null) this.#reserve(src.length * 2);
    const positions = { src: new Int32Array(src.length), dst: new Int32Array(src.length) };
    const added = nativeSync(() =>
      loadAddon().relabelPairs(
        this.#direct,
        this.#keys,
        this.#slots,
        this.#salt,
        src,
        dst,
        next !== null,
        next ?? 0,
        positions.src,
        positions.dst,
      ),
    );
    this.#count(added);
    return { ...positions, added };
  }

  /**
   * As above for rows whose two ids are texts: those that are short integers are looked up here, the others in `texts`.
   *
   * @returns also the ids that were added: the number, or NaN for a text
   */
  relabelTexts(texts: TextTableHandle, { numRows, bytes, offsets }: TextIdBatch, next: number | null) {
    if (next !== null) this.#reserve(numRows * 2);
    const positions = { src: new Int32Array(numRows), dst: new Int32Array(numRows) };
    const added = nativeSync(() =>
      loadAddon().relabelTexts(
        this.#direct,
        this.#keys,
        this.#slots,
        this.#salt,
        texts,
        bytes,
        offsets,
        next !== null,
        next ?? 0,
        positions.src,
        positions.dst,
      ),
    );
    this.#count(added.filter((key) => !Number.isNaN(key)));
    return { ...positions, added };
  }

  /** Counts keys that were added natively. */
  #count(added: Float64Array): void {
    this.#size += added.length;
    for (const key of added) if (!(key >= 0 && key < this.#direct.length)) this.#numHashed++;
  }

  /** Makes room for this many more keys, wherever they belong. */
  #reserve(count: number): void {
    if ((this.#numHashed + count) * 2 > this.#slots.length) this.#growHash((this.#numHashed + count) * 2);
    const isWorthIt = this.#direct.length < minDirect || (this.#size - this.#numHashed) * 4 >= this.#size;
    if (isWorthIt && (this.#size + count) * 2 > this.#direct.length) {
      const grown = new Int32Array(powerOfTwo((this.#size + count) * 2));
      grown.set(this.#direct);
      this.#direct = grown;
    }
  }

  #place(key: number, slot: number): void {
    const mask = this.#slots.length - 1;
    let at = hashOf(key, this.#salt) & mask;
    while (this.#slots[at] !== 0) at = (at + 1) & mask;
    this.#keys[at] = key;
    this.#slots[at] = slot;
  }

  #growHash(least: number): void {
    const keys = this.#keys;
    const slots = this.#slots;
    this.#keys = new Float64Array(powerOfTwo(least));
    this.#slots = new Int32Array(powerOfTwo(least));
    for (let at = 0; at < slots.length; at++) if (slots[at] !== 0) this.#place(keys[at]!, slots[at]!);
  }
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}

/** Both halves of the number, each mixed with its half of the salt. */
function hashOf(key: number, salt: Int32Array): number {
  return mix(mix(key ^ salt[0]!) ^ Math.floor(key / 2 ** 32) ^ salt[1]!);
}

/** The finalizer of MurmurHash3. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
