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

/** Hash table from safe integers to positions: open addressing over typed arrays, several times faster than a Map. */
export class IntegerTable {
  #keys = new Float64Array(1024);
  /** Position + 1; 0 = free. */
  #slots = new Int32Array(1024);
  #size = 0;

  /** Position of the key, or -1. */
  get(key: number): number {
    const mask = this.#slots.length - 1;
    for (let at = hashOf(key) & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at]!;
      if (slot === 0) return -1;
      if (this.#keys[at] === key) return slot - 1;
    }
  }

  /** Adds a key that is not yet there. */
  add(key: number, position: number): void {
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    this.#place(key, position + 1);
  }

  #place(key: number, slot: number): void {
    const mask = this.#slots.length - 1;
    let at = hashOf(key) & mask;
    while (this.#slots[at] !== 0) at = (at + 1) & mask;
    this.#keys[at] = key;
    this.#slots[at] = slot;
  }

  #grow(): void {
    const [keys, slots] = [this.#keys, this.#slots];
    this.#keys = new Float64Array(keys.length * 2);
    this.#slots = new Int32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at++) if (slots[at] !== 0) this.#place(keys[at]!, slots[at]!);
  }
}

/** Both halves of the number, mixed (the finalizer of MurmurHash3). */
function hashOf(key: number): number {
  let hash = (key | 0) ^ Math.imul(Math.floor(key / 2 ** 32), 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
