import { limits, problemFrom } from "@hopwise/contracts";
import type { FastifyBaseLogger } from "fastify";
import { CloseCode, type WebSocket as ServerSocket } from "graphql-ws";
import type { RawData, WebSocket } from "ws";

export interface OpenSocketOptions {
  /** Called with each message before anybody parses it; what it throws closes the socket. */
  readonly admit: (text: string) => void;
  readonly log: Pick<FastifyBaseLogger, "error">;
  readonly heartbeatMs?: number;
  readonly idleMs?: number;
}

/**
 * One socket as the protocol needs it, which ends by itself: when the other side does not answer a ping, does not read
 * what it is sent, or asks for nothing any more.
 */
export class OpenSocket {
  readonly #socket: WebSocket;
  readonly #options: Required<OpenSocketOptions>;
  readonly #heartbeat: NodeJS.Timeout;
  #hasAnswered = true;
  #numUnderWay = 0;
  #busyAt = performance.now();

  constructor(socket: WebSocket, options: OpenSocketOptions) {
    this.#socket = socket;
    this.#options = { heartbeatMs: 10_000, idleMs: limits.socketIdleSeconds * 1000, ...options };
    this.#heartbeat = setInterval(() => this.#beat(), this.#options.heartbeatMs);
    socket.on("pong", () => {
      this.#hasAnswered = true;
    });
    socket.once("close", () => clearInterval(this.#heartbeat));
  }

  /** Messages that are still being answered: running subscriptions, and whatever waits for the other side to read. */
  get numUnderWay(): number {
    return this.#numUnderWay;
  }

  /** What graphql-ws speaks through. A message waits until the one before it was taken off our hands. */
  get transport(): ServerSocket {
    const socket = this.#socket;
    return {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((resolve) => {
          if (socket.readyState !== socket.OPEN) return resolve();
          // A failed send is followed by the socket's close.
          socket.send(text, () => resolve());
        }),
      close: (code, reason) => this.close(code ?? 1000, reason ?? ""),
      onMessage: (take) => socket.on("message", (data) => void this.#receive(data, take)),
    };
  }

  /** Says why, and does not wait long for the other side to agree. */
  close(code: number, reason: string): void {
    const { readyState, OPEN } = this.#socket;
    if (readyState !== OPEN) return;
    this.#socket.close(code, shortened(reason));
    setTimeout(() => this.#socket.terminate(), 1000).unref();
  }

  async #receive(data: RawData, take: (text: string) => Promise<void>): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#busyAt = performance.now();
    this.#numUnderWay++;
    try {
      const text = (data as Buffer).toString("utf8"); // ws gives nothing else unless asked to
      this.#options.admit(text);
      await take(text);
    } catch (error) {
      const { code, detail } = problemFrom(error);
      if (code === "INTERNAL") this.#options.log.error({ err: error }, "a message on a socket failed");
      this.close(code === "INTERNAL" ? CloseCode.InternalServerError : CloseCode.BadRequest, `${code}: ${detail}`);
    } finally {
      this.#numUnderWay--;
    }
  }

  #beat(): void {
    const { bufferedAmount } = this.#socket;
    // Whoever does not read does not answer pings either, for they wait behind what was not read.
    if (!this.#hasAnswered || bufferedAmount > limits.socketBufferBytes) return this.#socket.terminate();
    if (this.#numUnderWay > 0) this.#busyAt = performance.now();
    if (performance.now() - this.#busyAt > this.#options.idleMs) return this.close(1000, "Nothing was asked for long.");
    this.#hasAnswered = false;
    this.#socket.ping();
  }
}

/** The protocol has room for 123 bytes. */
function shortened(reason: string): string {
  let text = reason;
  while (Buffer.byteLength(text) > 123) text = `${text.slice(0, -2)}…`;
  return text;
}
