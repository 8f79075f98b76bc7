import type { BitReader } from "./bit-reader.ts";
import { DamagedBzip2 } from "./damaged-bzip2.ts";

const groupSize = 50;
const longestCode = 20;

/** The lengths of codes, turned round: codes of one length follow each other. */
interface Codes {
  readonly shortest: number;
  /** The last code of each length, -1 = there is none */
  readonly limits: Int32Array;
  /** What is taken from a code to find its place */
  readonly bases: Int32Array;
  readonly symbols: Uint16Array;
}

/** The bytes of a block, runs still shortened: each of them in the low byte, with where the one behind it stands. */
export interface SortedBlock {
  readonly links: Uint32Array;
  readonly length: number;
  /** Where the first byte stands */
  readonly start: number;
}

/** @param most bytes in the block @throws DamagedBzip2, CutOff */
export function decodeBlock(bits: BitReader, most: number): SortedBlock {
  if (bits.take(1) === 1) throw new DamagedBzip2("a block of its bzip2 data is of a form of before 1999");
  const start = bits.take(24);
  const alphabet = readAlphabet(bits);
  const numGroups = bits.take(3);
  const numSelectors = bits.take(15);
  if (numGroups < 2 || numGroups > 6 || numSelectors === 0) throw damaged();
  const selectors = readSelectors(bits, numGroups, numSelectors);
  const codes = Array.from({ length: numGroups }, () => readCodes(bits, alphabet.length + 2));
  const links = new Uint32Array(most);
  const counts = new Int32Array(256);
  const length = readSymbols(bits, { alphabet, selectors, codes, links, counts });
  if (start >= length) throw damaged();
  linkUp(links, counts, length);
  return { links, length, start: links[start]! >>> 8 };
}

function damaged(): DamagedBzip2 {
  return new DamagedBzip2("a block of its bzip2 data is damaged");
}

/** The bytes that the block has: which sixteens, then which of each. */
function readAlphabet(bits: BitReader): number[] {
  const sixteens = bits.take(16);
  const alphabet: number[] = [];
  for (let i = 0; i < 16; i++) {
    if (((sixteens >>> (15 - i)) & 1) === 0) continue;
    const used = bits.take(16);
    for (let j = 0; j < 16; j++) if (((used >>> (15 - j)) & 1) === 1) alphabet.push(16 * i + j);
  }
  if (alphabet.length === 0) throw damaged();
  return alphabet;
}

/** Which codes each group of symbols has, moved to the front as they come. */
function readSelectors(bits: BitReader, numGroups: number, numSelectors: number): Uint8Array {
  const order = Array.from({ length: numGroups }, (_, i) => i);
  return Uint8Array.from({ length: numSelectors }, () => {
    let place = 0;
    while (bits.take(1) === 1) if (++place >= numGroups) throw damaged();
    const [group] = order.splice(place, 1) as [number];
    order.unshift(group);
    return group;
  });
}

function readCodes(bits: BitReader, numSymbols: number): Codes {
  const lengths = new Uint8Array(numSymbols);
  let length = bits.take(5);
  for (let symbol = 0; symbol < numSymbols; symbol++) {
    for (;;) {
      if (length < 1 || length > longestCode) throw damaged();
      if (bits.take(1) === 0) break;
      length += bits.take(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return codesOf(lengths);
}

function codesOf(lengths: Uint8Array): Codes {
  const shortest = Math.min(...lengths);
  const limits = new Int32Array(longestCode + 2).fill(-1);
  const bases = new Int32Array(longestCode + 2);
  const symbols = new Uint16Array(lengths.length);
  let code = 0;
  let place = 0;
  for (let length = 1; length <= longestCode; length++) {
    bases[length] = code - place;
    for (const [symbol, ofSymbol] of lengths.entries()) {
      if (ofSymbol !== length) continue;
      symbols[place++] = symbol;
      code++;
    }
    if (code > 2 ** length) throw damaged();
    limits[length] = code - 1;
    code *= 2;
  }
  return { shortest, limits, bases, symbols };
}

interface SymbolTables {
  readonly alphabet: readonly number[];
  readonly selectors: Uint8Array;
  readonly codes: readonly Codes[];
  /** Gets the bytes in their sorted order */
  readonly links: Uint32Array;
  /** Gets how often each byte is there */
  readonly counts: Int32Array;
}

/** How many bytes the block has, runs of the front byte written out. */
function readSymbols(bits: BitReader, { alphabet, selectors, codes, links, counts }: SymbolTables): number {
  const front = Uint8Array.from(alphabet);
  const end = alphabet.length + 1;
  let length = 0;
  let run = 0;
  let worth = 1;
  let group = -1;
  let left = 0;
  const put = (byte: number, times: number) => {
    if (length + times > links.length) throw damaged();
    links.fill(byte, length, length + times);
    counts[byte]! += times;
    length += times;
  };
  for (;;) {
    if (left === 0) {
      if (++group >= selectors.length) throw damaged();
      left = groupSize;
    }
    left--;
    const symbol = symbolIn(bits, codes[selectors[group]!]!);
    if (symbol <= 1) {
      run += worth << symbol;
      worth *= 2;
      if (worth > 2 ** 21) throw damaged();
      continue;
    }
    if (run > 0) put(front[0]!, run);
    run = 0;
    worth = 1;
    if (symbol === end) return length;
    const place = symbol - 1;
    const byte = front[place]!;
    front.copyWithin(1, 0, place);
    front[0] = byte;
    put(byte, 1);
  }
}

function symbolIn(bits: BitReader, { shortest, limits, bases, symbols }: Codes): number {
  let code = bits.take(shortest);
  let length = shortest;
  while (code > limits[length]!) {
    if (++length > longestCode) throw damaged();
    code = (code << 1) | bits.take(1);
  }
  const symbol = symbols[code - bases[length]!];
  if (symbol === undefined) throw damaged();
  return symbol;
}

/** Turns the sorting round. */
function linkUp(links: Uint32Array, counts: Int32Array, length: number): void {
  const places = new Int32Array(256);
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    places[byte] = sum;
    sum += counts[byte]!;
  }
  for (let i = 0; i < length; i++) {
    const place = places[links[i]! & 0xff]!++;
    links[place]! |= i << 8;
  }
}
