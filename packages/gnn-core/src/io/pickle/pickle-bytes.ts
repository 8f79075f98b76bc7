/** What is wrong with a pickle, as a clause. */
export class PickleError extends Error {}

/** The bytes of a pickle, from its beginning on; reading beyond the end throws. */
export class PickleBytes {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get at(): number {
    return this.#at;
  }

  byte(): number {
    return this.#view.getUint8(this.#forward(1));
  }

  uint16(): number {
    return this.#view.getUint16(this.#forward(2), true);
  }

  int32(): number {
    return this.#view.getInt32(this.#forward(4), true);
  }

  uint32(): number {
    return this.#view.getUint32(this.#forward(4), true);
  }

  /** A length in eight bytes */
  length(): number {
    return Number(this.#view.getBigUint64(this.#forward(8), true));
  }

  float64(): number {
    return this.#view.getFloat64(this.#forward(8), false);
  }

  take(count: number): Uint8Array {
    const from = this.#forward(count);
    return this.#bytes.subarray(from, from + count);
  }

  /** Text to the end of the line */
  line(): string {
    const end = this.#bytes.indexOf(10, this.#at);
    if (end < 0 || end - this.#at > 4096) throw new PickleError("a line in it does not end");
    const text = Buffer.from(this.take(end - this.#at)).toString("latin1");
    this.#at++;
    return text;
  }

  #forward(count: number): number {
    const from = this.#at;
    if (!(count <= this.#bytes.length - from)) throw new PickleError("it is cut off");
    this.#at += count;
    return from;
  }
}
