import type { Socket } from "node:net";
import { points } from "../../dist/points.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import { releaseBlocks } from "../../graph/release-blocks.ts";
import type { Sampler } from "../sampler.ts";
import { type BatchRequest, decodeRequest, encodeBlocks, encodeFailure } from "./batch-codec.ts";
import type { DrawQueue } from "./draw-queue.ts";
import { type Frame, FrameReader, frameKinds, malformed } from "./frames.ts";
import { sendFrame } from "./send-frame.ts";

/** 64 Mi seeds: far above any batch */
const maxRequestBytes = 2 ** 28;

/** How a connection ended: `closed` from here, or by a stranger, who has never said which rank it is. */
export type ConnectionEnd =
  | { readonly type: "done" }
  | { readonly type: "closed" }
  | { readonly type: "lost"; readonly error: GnnError };

/** A sampler process's end of the connection with one rank. */
export class RankConnection {
  readonly #socket: Socket;
  readonly #sampler: Sampler;
  readonly #queue: DrawQueue;
  readonly #drawing = new Map<number, AbortController>();
  #rank: number | null = null;
  #isDone = false;
  #isClosing = false;
  #failure: Error | null = null;

  constructor(socket: Socket, sampler: Sampler, queue: DrawQueue, onEnd: (end: ConnectionEnd) => void) {
    this.#socket = socket;
    this.#sampler = sampler;
    this.#queue = queue;
    const reader = new FrameReader(maxRequestBytes, (frame) => this.#read(frame));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 10_000);
    socket.on("data", (chunk) => this.#guarded(() => reader.push(chunk)));
    socket.on("error", (error) => (this.#failure ??= error)); // "close" follows
    socket.on("close", () => {
      for (const controller of this.#drawing.values()) controller.abort();
      onEnd(this.#end());
    });
  }

  /** What was drawn for nobody is not sent. */
  close(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #end(): ConnectionEnd {
    if (this.#isDone) return { type: "done" };
    if (this.#rank === null || this.#isClosing) return { type: "closed" };
    const why = this.#failure ? `: ${this.#failure.message}` : ", without having said that it is done";
    const message = `Rank ${this.#rank} has left the sampler process${why}`;
    return { type: "lost", error: new GnnError("RANK_LOST", message, { cause: this.#failure }) };
  }

  #guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#failure ??= error as Error;
      this.#socket.destroy();
    }
  }

  #read({ kind, id, payload }: Frame): void {
    if (kind === frameKinds.hello && this.#rank === null) this.#rank = id;
    else if (this.#rank === null || this.#isDone) throw malformed(`a frame of kind ${kind} came out of turn`);
    else if (kind === frameKinds.request) void this.#draw(id, decodeRequest(payload));
    else if (kind === frameKinds.cancel) this.#drawing.get(id)?.abort();
    else if (kind === frameKinds.done) this.#finish();
    else throw malformed(`a rank does not send frames of kind ${kind}`);
  }

  async #draw(id: number, { seeds, ...key }: BatchRequest): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#drawing.set(id, controller);
    try {
      const blocks = await this.#queue.run(async () => {
        signal.throwIfAborted();
        return this.#sampler.sample(seeds, key, signal);
      });
      points.remoteSample.publish(key);
      if (signal.aborted) return;
      sendFrame(this.#socket, frameKinds.blocks, id, encodeBlocks(blocks), () => releaseBlocks(blocks, seeds));
    } catch (error) {
      if (!signal.aborted) sendFrame(this.#socket, frameKinds.failure, id, encodeFailure(error));
    } finally {
      this.#drawing.delete(id);
    }
  }

  #finish(): void {
    this.#isDone = true;
    this.#socket.end();
  }
}
