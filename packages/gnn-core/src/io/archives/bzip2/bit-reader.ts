/** More bits were asked for than there are. */
export class CutOff extends Error {}

/** Bits of a stream of bytes, from the first of each byte to its last. Bytes are asked for ahead, by `fill` alone. */
export class BitReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #bits = 0;
  #numBits = 0;
  #isEnded = false;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** Sees to so many bytes ahead, or to all that are left. @returns whether any are */
  async fill(wanted: number): Promise<boolean> {
    const found: Uint8Array[] = [this.#bytes.subarray(this.#at)];
    let length = found[0]!.length;
    while (length < wanted && !this.#isEnded) {
      const { done, value } = await this.#pieces.next();
      if (done) this.#isEnded = true;
      else {
        found.push(value);
        length += value.length;
      }
    }
    if (found.length > 1) {
      this.#bytes = Buffer.concat(found);
      this.#at = 0;
    }
    return length > 0 || this.#numBits >= 8;
  }

  /** @param count up to 32 @throws CutOff */
  take(count: number): number {
    if (count > 24) return this.take(count - 16) * 65_536 + this.take(16);
    while (this.#numBits < count) {
      if (this.#at >= this.#bytes.length) throw new CutOff();
      this.#bits = (this.#bits << 8) | this.#bytes[this.#at++]!;
      this.#numBits += 8;
    }
    this.#numBits -= count;
    return (this.#bits >>> this.#numBits) & ((1 << count) - 1);
  }

  /** Passes over the rest of a byte. */
  align(): void {
    this.#numBits -= this.#numBits % 8;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
