import { loadAddon } from "../../backends/native/addon.ts";
import { nativeSync } from "../../backends/native/native-error.ts";
import type { TextIdBatch } from "../table-source.ts";
import { GrowableFloat64 } from "./growable.ts";
import { IntegerTable, shortInteger } from "./integer-table.ts";

/** Texts that are fetched from the native table at a time. */
const batchSize = 65_536;

/**
 * Original ids by NodeIndex, in the order in which they were added. Ids are compared as text; those that are short
 * canonical decimals are kept as the numbers they name, which is the same comparison.
 *
 * All ids lie in memory: 16 to 30 bytes for a number, some 30 beside its own for a text, so that 20 million text ids of
 * 12 bytes take 0.9 GB. Beyond that an external sort would be needed, which this version does not have.
 */
export class IdIndex {
  readonly #integers = new IntegerTable();
  readonly #texts = nativeSync(() => loadAddon().createTextTable());
  /** By NodeIndex: the number, or NaN for an id kept as text. */
  readonly #numbers = new GrowableFloat64();

  get size(): number {
    return this.#numbers.length;
  }

  /** True while every id is a canonical decimal int64: only then may ids be stored as numbers. */
  get isInt64(): boolean {
    return nativeSync(() => loadAddon().isInt64(this.#texts));
  }

  /** NodeIndex of the id, or -1. */
  indexOf(id: string): number {
    const number = shortInteger(id);
    if (!Number.isNaN(number)) return this.#integers.get(number);
    return nativeSync(() => loadAddon().findText(this.#texts, id));
  }

  /** Gives an id that is not yet there the next NodeIndex. */
  add(id: string): number {
    const index = this.size;
    this.addNew(id);
    return index;
  }

  /** Gives an id the next NodeIndex unless it has one. @returns whether it had none */
  addNew(id: string): boolean {
    const number = shortInteger(id);
    const isNew = Number.isNaN(number) ? this.#addText(id) : this.#addNumber(number);
    if (isNew) this.#numbers.push(number);
    return isNew;
  }

  /**
   * Relabels a batch of rows whose ids are short canonical decimals, given as numbers.
   *
   * @param add gives ids that are not yet there the next NodeIndex, in row order, src before dst; else they become -1
   */
  relabelPairs(src: Float64Array, dst: Float64Array, add: boolean) {
    const relabelled = this.#integers.relabelPairs(src, dst, add ? this.size : null);
    for (const number of relabelled.added) this.#numbers.push(number);
    return relabelled;
  }

  /** Relabels a batch of rows whose two ids are texts. */
  relabelTexts(batch: TextIdBatch, add: boolean) {
    const relabelled = this.#integers.relabelTexts(this.#texts, batch, add ? this.size : null);
    for (const number of relabelled.added) this.#numbers.push(number);
    return relabelled;
  }

  /** The ids in NodeIndex order. */
  *ids(): Iterable<string> {
    const texts = this.#textsInOrder();
    for (const number of this.#numbers.values) yield Number.isNaN(number) ? texts.next().value! : String(number);
  }

  #addText(id: string): boolean {
    return nativeSync(() => loadAddon().addText(this.#texts, id, this.size));
  }

  #addNumber(number: number): boolean {
    if (this.#integers.get(number) >= 0) return false;
    this.#integers.add(number, this.size);
    return true;
  }

  *#textsInOrder(): Generator<string, undefined> {
    for (let first = 0; ; first += batchSize) {
      const { bytes, offsets } = nativeSync(() => loadAddon().textsOf(this.#texts, first, batchSize));
      if (offsets.length === 1) return;
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let i = 1; i < offsets.length; i++) yield buffer.toString("utf8", offsets[i - 1], offsets[i]);
    }
  }
}
