import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * A peer that speaks ZeroMQ's protocol without the library, unprotected, so that it can send what ours never would
 * (ZMTP 3.0: https://rfc.zeromq.org/spec/23/).
 */
export class ZmtpPeer {
  readonly socket: Socket;
  #received = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
    });
  }

  static async connect(port: number): Promise<ZmtpPeer> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const peer = new ZmtpPeer(socket);
    const greeting = Buffer.alloc(64);
    greeting.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]);
    greeting.write("NULL", 12);
    socket.write(greeting);
    const property = Buffer.from("\x05READY\x0bSocket-Type\0\0\0\x06DEALER", "latin1");
    socket.write(Buffer.concat([Buffer.from([4, property.length]), property]));
    await peer.receives("READY");
    return peer;
  }

  /** One message of several parts. */
  send(parts: readonly Uint8Array[]): void {
    for (const [i, part] of parts.entries()) {
      const head = Buffer.alloc(9);
      head[0] = (i + 1 < parts.length ? 1 : 0) | 2;
      head.writeBigUInt64BE(BigInt(part.length), 1);
      this.socket.write(Buffer.concat([head, part]));
    }
  }

  /** Waits until the text was received, or the connection has ended: then false. */
  async receives(text: string): Promise<boolean> {
    while (!this.#received.includes(text)) {
      if (this.socket.closed) return false;
      await Promise.race([once(this.socket, "data"), once(this.socket, "close")]);
    }
    return true;
  }
}
