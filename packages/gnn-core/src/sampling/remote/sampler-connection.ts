import type { Socket } from "node:net";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Block } from "../../graph/block.ts";
import { type BatchRequest, decodeBlocks, decodeFailure, encodeRequest } from "./batch-codec.ts";
import { deadline } from "./deadline.ts";
import { type Frame, FrameReader, frameKinds, malformed } from "./frames.ts";
import { connectedEvent, dial } from "./sampler-sockets.ts";
import { sendFrame } from "./send-frame.ts";

export interface SamplerAddress {
  readonly endpoint: string;
  /** Which of the sampler processes it is */
  readonly index: number;
  /** Who asks */
  readonly rank: number;
  readonly secret: Uint8Array | null;
  readonly timeoutMs: number;
}

interface Pending {
  readonly resolve: (blocks: readonly Block[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Most bytes of the blocks of one batch; what a loader keeps ahead is less */
const maxAnswerBytes = 2 ** 31;

/** A rank's end of the connection with one sampler process. */
export class SamplerConnection {
  /** Resolves when both sides can speak. */
  readonly connected: Promise<void>;
  readonly #place: SamplerAddress;
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** Why nothing can be drawn there any more */
  #failure: GnnError | null = null;

  constructor(place: SamplerAddress) {
    this.#place = place;
    this.#socket = dial(place.endpoint, place.secret);
    const reader = new FrameReader(maxAnswerBytes, (frame) => this.#read(frame));
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, 10_000);
    this.#socket.on("data", (chunk) => this.#guarded(() => reader.push(chunk)));
    this.#socket.on("error", (error) => this.#lose(`cannot be spoken to: ${error.message}${this.#hint}`, error));
    this.#socket.on("close", () => this.#lose(`has closed the connection${this.#hint}`));
    this.connected = this.#connect();
    this.connected.catch(() => {}); // told to whoever awaits it
  }

  get numPending(): number {
    return this.#pending.size;
  }

  throwIfLost(): void {
    if (this.#failure) throw this.#failure;
  }

  draw(batch: BatchRequest, signal?: AbortSignal): Promise<readonly Block[]> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const end = () => {
        clear();
        signal?.removeEventListener("abort", cancel);
        this.#pending.delete(id);
      };
      const cancel = () => {
        end();
        sendFrame(this.#socket, frameKinds.cancel, id);
        reject(signal?.reason);
      };
      // A training step may keep this thread longer than that, while the answer lies in the socket.
      const clear = deadline(this.#place.timeoutMs, () => {
        end();
        reject(this.#late());
      });
      signal?.addEventListener("abort", cancel, { once: true });
      this.#pending.set(id, {
        resolve: (blocks) => {
          end();
          resolve(blocks);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      sendFrame(this.#socket, frameKinds.request, id, encodeRequest(batch));
    });
  }

  /** Says that this rank is done, and waits for the process to close the connection. */
  async finish(): Promise<void> {
    if (this.#failure) return;
    const closed = new Promise((resolve) => this.#socket.once("close", resolve));
    this.#failure = new GnnError("RANK_LOST", `${this.#name} is not asked any more.`);
    sendFrame(this.#socket, frameKinds.done, 0);
    const timer = setTimeout(() => this.destroy(), this.#place.timeoutMs);
    await closed;
    clearTimeout(timer);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #connect(): Promise<void> {
    const { secret, rank, timeoutMs } = this.#place;
    return new Promise((resolve, reject) => {
      const clear = deadline(timeoutMs, () => {
        reject(this.#late());
        this.destroy();
      });
      this.#socket.once("close", () => {
        clear();
        reject(this.#failure);
      });
      this.#socket.once(connectedEvent(secret), () => {
        clear();
        sendFrame(this.#socket, frameKinds.hello, rank);
        resolve();
      });
    });
  }

  #guarded(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#lose(`speaks otherwise: ${(error as Error).message}`, error);
      this.destroy();
    }
  }

  #read({ kind, id, payload }: Frame): void {
    const asked = this.#pending.get(id);
    if (kind !== frameKinds.blocks && kind !== frameKinds.failure) throw malformed(`it sent a frame of kind ${kind}`);
    if (!asked) return this.#requireAsked(id); // cancelled or late: nobody waits for it
    if (kind === frameKinds.failure) asked.reject(decodeFailure(payload));
    else asked.resolve(decodeBlocks(payload));
  }

  #requireAsked(id: number): void {
    if (id === 0 || id >= this.#nextId) throw malformed(`it answered request ${id}, which nobody made`);
  }

  /** Everything that waits for this process fails, and whatever is asked of it later. */
  #lose(how: string, cause?: unknown): void {
    this.#failure ??= new GnnError("RANK_LOST", `${this.#name} ${how}`, { cause });
    for (const { reject } of this.#pending.values()) reject(this.#failure);
  }

  #late(): GnnError {
    const message = `${this.#name} has not answered within ${this.#place.timeoutMs} ms; it hangs, or nobody reaches its host.`;
    return new GnnError("RANK_TIMEOUT", message);
  }

  get #hint(): string {
    return `; it has ended, or ${this.#place.secret ? "knows another secret" : "expects a secret"}. Start the step again.`;
  }

  get #name(): string {
    return `Sampler ${this.#place.index} at ${this.#place.endpoint}`;
  }
}
