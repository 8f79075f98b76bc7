import { GnnError } from "../../errors/gnn-error.ts";

/** What a rank (the first four) and a sampler process say to each other. */
export const frameKinds = {
  /** The first frame of a rank: its number is the frame's id */
  hello: 1,
  /** Draw the blocks of this batch */
  request: 2,
  /** Nobody waits for the batch of this id any more */
  cancel: 3,
  /** The rank asks for nothing more */
  done: 4,
  /** The blocks of the batch with this id */
  blocks: 5,
  /** Why there are none */
  failure: 6,
} as const;
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

export interface Frame {
  readonly kind: number;
  readonly id: number;
  /** At the beginning of a buffer of its own, so that arrays of 4-byte numbers can be views of it */
  readonly payload: Uint8Array;
}

/** "HWS1", where the 1 is the version. */
const magic = 0x31535748;
const headerBytes = 16;

/** uint32 little-endian: magic, kind, id, bytes of the payload that follows */
export function encodeHeader(kind: FrameKind, id: number, payloadBytes: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(magic, kind, id, payloadBytes).buffer);
}

/** Puts the frames of a stream together from the chunks in which it arrives. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onFrame: (frame: Frame) => void;
  readonly #header = new Uint8Array(headerBytes);
  #payload: Uint8Array | null = null;
  #filled = 0;

  /** @param maxBytes of the payload of one frame */
  constructor(maxBytes: number, onFrame: (frame: Frame) => void) {
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
  }

  /** @throws GnnError RANK_LOST for what is no frame, or a longer one than it may be: the stream cannot be read on */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const target = this.#payload ?? this.#header;
      const taken = rest.subarray(0, target.length - this.#filled);
      target.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled === target.length) this.#complete();
    }
  }

  #complete(): void {
    this.#filled = 0;
    const [found, kind, id, length] = new Uint32Array(this.#header.buffer) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (!this.#payload) {
      if (found !== magic) throw malformed(`a frame begins with ${hex(found)} instead of ${hex(magic)}`);
      if (length > this.#maxBytes) throw malformed(`a frame of ${length} bytes is longer than ${this.#maxBytes}`);
      this.#payload = new Uint8Array(length);
      if (length > 0) return;
    }
    const payload = this.#payload;
    this.#payload = null;
    this.#onFrame({ kind, id, payload });
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

/** @param found what is wrong with what was received */
export function malformed(found: string): GnnError {
  const message = `The connection is closed, as ${found}; run the same release on every host, and let only ranks connect.`;
  return new GnnError("RANK_LOST", message);
}
