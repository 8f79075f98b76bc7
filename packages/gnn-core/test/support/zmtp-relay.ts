import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What becomes of a message on its way; several, none or another one. */
export type OnTheWay = (message: Buffer) => readonly Buffer[];

const greetingBytes = 64;

/**
 * Stands between two ends that speak ZeroMQ's protocol and sees their messages (https://rfc.zeromq.org/spec/23/):
 * greetings and commands pass as they are.
 */
export class ZmtpRelay {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  /** From who connects, and back to it */
  requests: OnTheWay = (message) => [message];
  replies: OnTheWay = (message) => [message];

  static async start(target: { readonly host: string; readonly port: number }): Promise<ZmtpRelay> {
    const relay = new ZmtpRelay();
    relay.#server.on("connection", (near) => {
      const far = connect(target);
      relay.#pass(near, far, (message) => relay.requests(message));
      relay.#pass(far, near, (message) => relay.replies(message));
    });
    await once(relay.#server.listen(0, "127.0.0.1"), "listening");
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #pass(from: Socket, to: Socket, onTheWay: OnTheWay): void {
    this.#sockets.add(from);
    let received = Buffer.alloc(0);
    let toGreet = greetingBytes;
    from.on("data", (bytes) => {
      // Each end says the rest of its greeting only after the beginning of the other's.
      const greeting = bytes.subarray(0, toGreet);
      toGreet -= greeting.length;
      if (greeting.length > 0) to.write(greeting);
      received = Buffer.concat([received, bytes.subarray(greeting.length)]);
      for (let frame = frameOf(received); frame; frame = frameOf(received)) {
        received = received.subarray(frame.end);
        if (frame.isCommand) to.write(frame.whole);
        else for (const message of onTheWay(frame.body)) to.write(framed(message));
      }
    });
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

/** The first frame of what was received; null: not all of it is there. */
function frameOf(received: Buffer) {
  if (received.length < 2) return null;
  const flags = received[0] as number;
  const isLong = (flags & 2) !== 0;
  if (received.length < (isLong ? 9 : 2)) return null;
  const start = isLong ? 9 : 2;
  const end = start + (isLong ? Number(received.readBigUInt64BE(1)) : (received[1] as number));
  if (received.length < end) return null;
  return { isCommand: (flags & 4) !== 0, whole: received.subarray(0, end), body: received.subarray(start, end), end };
}

function framed(body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 2;
  head.writeBigUInt64BE(BigInt(body.length), 1);
  return Buffer.concat([head, body]);
}
