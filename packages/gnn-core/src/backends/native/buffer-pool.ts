import { loadAddon } from "./addon.ts";

/**
 * Recycles aligned native memory by size class, four classes per power of two: a training step asks for the same
 * sizes again and again, and fresh pages cost more than the arithmetic on them.
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
    const size = sizeClass(bytes);
    const buffer = this.#free.get(size)?.pop();
    if (!buffer) return this.#allocate(size);
    this.#freeBytes -= size;
    return buffer;
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
