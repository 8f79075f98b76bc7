import { BitReader, CutOff } from "./bit-reader.ts";
import { decodeBlock, type SortedBlock } from "./bzip2-block.ts";
import { DamagedBzip2 } from "./damaged-bzip2.ts";

const blockMagic = 0x3141_5926_5359;
const endMagic = 0x1772_4538_5090;
/** A packed block has less, with its tables */
const mostPacked = 2 ** 21;
const pieceBytes = 2 ** 18;

/**
 * Unpacks bzip2, several streams behind each other too, as parallel packers write them. Each block has a checksum, and
 * so has each stream.
 *
 * Format: J. Tsai, bzip2: Format Specification (2016); M. Burrows and D. Wheeler, A Block-sorting Lossless Data
 * Compression Algorithm (1994).
 *
 * @throws DamagedBzip2
 */
export async function* bunzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  const bits = new BitReader(packed[Symbol.asyncIterator]());
  try {
    for (let streams = 0; await bits.fill(mostPacked); streams++) {
      const level = streamLevel(bits, streams);
      yield* streamOf(bits, level);
      bits.align();
    }
  } catch (error) {
    throw error instanceof CutOff ? new DamagedBzip2("its bzip2 data are cut off") : error;
  } finally {
    await bits.close();
  }
}

/** The most hundreds of thousands of bytes in a block */
function streamLevel(bits: BitReader, streams: number): number {
  const magic = bits.take(24);
  const level = bits.take(8) - 0x30;
  if (magic === 0x42_5a_68 && level >= 1 && level <= 9) return level;
  throw new DamagedBzip2(
    streams === 0 ? "its first bytes are not those of bzip2" : "something else follows behind its bzip2 data",
  );
}

async function* streamOf(bits: BitReader, level: number): AsyncGenerator<Buffer, void, undefined> {
  let sum = 0;
  for (;;) {
    await bits.fill(mostPacked);
    const magic = bits.take(24) * 2 ** 24 + bits.take(24);
    if (magic === endMagic) {
      if (bits.take(32) !== sum) throw new DamagedBzip2("the checksum of its bzip2 data differs");
      return;
    }
    if (magic !== blockMagic) throw new DamagedBzip2("a block of its bzip2 data does not begin as one");
    const said = bits.take(32);
    const ofBlock = new Checksum();
    for (const piece of unrun(decodeBlock(bits, level * 100_000))) {
      ofBlock.add(piece);
      yield piece;
    }
    if (ofBlock.value !== said) throw new DamagedBzip2("the checksum of a block of its bzip2 data differs");
    sum = (((sum << 1) | (sum >>> 31)) ^ said) >>> 0;
  }
}

/** Behind four equal bytes stands how often they come again. */
function* unrun({ links, length, start }: SortedBlock): Generator<Buffer, void, undefined> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  let last = -1;
  let run = 0;
  let at = start;
  for (let i = 0; i < length; i++) {
    const link = links[at]!;
    const byte = link & 0xff;
    at = link >>> 8;
    const isCount = run === 4;
    let times = isCount ? byte : 1;
    const value = isCount ? last : byte;
    run = isCount ? 0 : byte === last ? run + 1 : 1;
    last = isCount ? -1 : byte;
    for (; times > 0; times--) {
      piece[filled++] = value;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  if (run === 4) throw new DamagedBzip2("a block of its bzip2 data ends within a run");
  if (filled > 0) yield piece.subarray(0, filled);
}

/** CRC-32 as bzip2 has it: of the polynomial of zip, from the first bit of each byte to its last. */
class Checksum {
  #sum = 0xffff_ffff;

  add(bytes: Uint8Array): void {
    let sum = this.#sum;
    for (const byte of bytes) sum = (sum << 8) ^ sums[(sum >>> 24) ^ byte]!;
    this.#sum = sum;
  }

  get value(): number {
    return ~this.#sum >>> 0;
  }
}

const sums = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1;
  return sum;
});
