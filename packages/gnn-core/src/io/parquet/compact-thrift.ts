/** Types of Thrift's compact protocol. */
export const thrift = {
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
} as const;

/** Deeper than any version of the Parquet format nests its metadata. */
const maxDepth = 32;

/** Thrown where bytes are not Thrift, are cut off, or nest too deep. */
export class ThriftError extends Error {}

/**
 * Walks a struct of Thrift's compact protocol without building anything. What is not asked for is skipped, in as many
 * steps as there are bytes and to a bounded depth, whatever the bytes say.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Calls `visit` for each field; it returns whether it has read the value. */
  readStruct(visit: (id: number, type: number) => boolean): void {
    this.#enter();
    for (let id = 0; ; ) {
      const head = this.#byte();
      const type = head & 15;
      if (type === 0) break;
      id = head >> 4 === 0 ? this.readInteger() : id + (head >> 4);
      if (!visit(id, type)) this.#skip(type);
    }
    this.#depth--;
  }

  /** Calls `visit` for each item; it returns whether it has read it. */
  readList(visit: (type: number) => boolean): void {
    this.#enter();
    const head = this.#byte();
    const length = head >> 4 === 15 ? this.#varint() : head >> 4;
    // Every item takes a byte, so that a list is no longer than what follows it.
    if (length > this.#bytes.length - this.#at) throw new ThriftError("a list is longer than the bytes");
    for (let i = 0; i < length; i++) if (!visit(head & 15)) this.#skipItem(head & 15);
    this.#depth--;
  }

  /** A signed integer of any width, exact up to 2^53. */
  readInteger(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #skip(type: number): void {
    // The truth value of a field, unlike that of an item, is its type alone.
    if (type !== thrift.true && type !== thrift.false) this.#skipItem(type);
  }

  #skipItem(type: number): void {
    if (type <= thrift.byte) this.#jump(1);
    else if (type <= thrift.i64) this.#varint();
    else if (type === thrift.double) this.#jump(8);
    else if (type === thrift.binary) this.#jump(this.#varint());
    else if (type === thrift.list || type === thrift.set) this.readList(() => false);
    else if (type === thrift.map) this.#skipMap();
    else if (type === thrift.struct) this.readStruct(() => false);
    else throw new ThriftError(`type ${type}`);
  }

  #skipMap(): void {
    this.#enter();
    const length = this.#varint();
    if (length > this.#bytes.length - this.#at) throw new ThriftError("a map is longer than the bytes");
    const types = length > 0 ? this.#byte() : 0;
    for (let i = 0; i < length; i++) {
      this.#skipItem(types >> 4);
      this.#skipItem(types & 15);
    }
    this.#depth--;
  }

  #enter(): void {
    if (++this.#depth > maxDepth) throw new ThriftError(`nested deeper than ${maxDepth}`);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new ThriftError("cut off");
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new ThriftError("an integer without end");
  }

  #jump(bytes: number): void {
    if (bytes > this.#bytes.length - this.#at) throw new ThriftError("cut off");
    this.#at += bytes;
  }
}
