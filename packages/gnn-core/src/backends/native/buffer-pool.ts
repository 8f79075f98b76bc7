import { loadAddon } from "./addon.ts";

/** A free buffer serves a request for at least this share of it. */
const minFill = 0.6;

/**
 * Recycles aligned native memory by size class, four classes per power of two: a training step asks for about the
 * same sizes again and again, and fresh pages cost more than the arithmetic on them. A request takes the smallest free
 * buffer that holds it without wasting too much: batches differ in size, and many lie about a border of two classes.
 */
export class BufferPool {
  readonly #free = new Map<number, ArrayBuffer[]>();
  readonly #owned = new WeakSet<ArrayBufferLike>();
  #freeBytes = 0;
  readonly #maxFreeBytes: number;

  constructor(maxFreeBytes: number) {
    this.#maxFreeBytes = maxFreeBytes;
  }

  /** Memory of at least `bytes`, contents undefined. */
  take(bytes: number): ArrayBuffer {
    const smallest = sizeClass(bytes);
    for (let size = smallest; size * minFill <= smallest; size = sizeClass(size + 1)) {
      const buffer = this.#free.get(size)?.pop();
      if (!buffer) continue;
      this.#freeBytes -= size;
      return buffer;
    }
    return this.#allocate(smallest);
  }

  /** Takes back what `take` gave; nothing may read it afterwards. */
  give(buffer: ArrayBuffer): void {
    if (this.#freeBytes + buffer.byteLength > this.#maxFreeBytes) return;
    const list = this.#free.get(buffer.byteLength) ?? [];
    list.push(buffer);
    this.#free.set(buffer.byteLength, list);
    this.#freeBytes += buffer.byteLength;
  }

  owns(buffer: ArrayBufferLike): boolean {
    return this.#owned.has(buffer);
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Drops every free buffer, for instance between training and inference. */
  clear(): void {
    this.#free.clear();
    this.#freeBytes = 0;
  }

  #allocate(size: number): ArrayBuffer {
    const buffer = loadAddon().allocate(size);
    this.#owned.add(buffer);
    return buffer;
  }
}

/** The next of 64·2^k·{1, 1.25, 1.5, 1.75} bytes, rounded to 64. */
export function sizeClass(bytes: number): number {
  if (bytes <= 64) return 64;
  const quarter = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil((Math.ceil(bytes / quarter) * quarter) / 64) * 64;
}
