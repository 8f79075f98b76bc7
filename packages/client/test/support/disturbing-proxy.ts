import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Transform } from "node:stream";

/** What happens to a request on its way. */
export interface Disturbance {
  /** The connection breaks when so many bytes of the answer's body have been passed on. */
  readonly cutAnswerAfter?: number;
  /** No more is passed on behind so many bytes of the answer's body, and the connection stays. */
  readonly muteAnswerAfter?: number;
  /** The service gets all of it, and the connection breaks before its answer is passed on. */
  readonly loseAnswer?: true;
  /** No more of the request's body is taken behind so many bytes. */
  readonly holdRequestAfter?: number;
  /** The service gets nothing of it; the answer has this status. */
  readonly answer?: number;
  /** With `answer`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** Stands between a client and the service, and does to chosen requests what networks do. */
export class DisturbingProxy {
  readonly seen: SeenRequest[] = [];
  readonly #upstream: URL;
  readonly #server: Server;
  #plan: { readonly path: RegExp; readonly method: string; readonly what: Disturbance }[] = [];

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
    this.#server = createServer((incoming, outgoing) => this.#pass(incoming, outgoing));
    // The service's answers say for how long it keeps a connection. One that the proxy closes earlier breaks the
    // request that is just being sent on it.
    this.#server.keepAliveTimeout = 0;
  }

  static async before(upstream: string): Promise<DisturbingProxy> {
    const proxy = new DisturbingProxy(upstream);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was seen, and disturbs the next requests of this method whose path matches, one for each. */
  disturb(method: string, path: RegExp, ...disturbances: readonly Disturbance[]): void {
    this.seen.length = 0;
    this.#plan = disturbances.map((what) => ({ method, path, what }));
  }

  /** Breaks every connection of a client. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = "", url: path = "", headers } = incoming;
    this.seen.push({ method, path, headers });
    const index = this.#plan.findIndex((one) => one.method === method && one.path.test(path));
    const what: Disturbance = index < 0 ? {} : (this.#plan.splice(index, 1)[0]?.what ?? {});
    if (what.answer !== undefined) {
      outgoing.writeHead(what.answer, what.headers).end();
      return;
    }
    const { hostname, port } = this.#upstream;
    const forwarded = request({ hostname, port, path, method, headers });
    forwarded.on("error", () => incoming.socket.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(heldAfter(what.holdRequestAfter)).pipe(forwarded);
    forwarded.on("response", (answer) => {
      if (what.loseAnswer) answer.resume().on("end", () => incoming.socket.destroy());
      else this.#answer(incoming, outgoing, answer, what);
    });
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse, answer: IncomingMessage, what: Disturbance): void {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
    answer.on("error", () => incoming.socket.destroy());
    const cut = cutAfter(what.cutAnswerAfter, () => incoming.socket.destroy());
    answer.pipe(heldAfter(what.muteAnswerAfter)).pipe(cut).pipe(outgoing);
  }
}

/** Passes on so many bytes, then nothing more and no end. */
function heldAfter(limit = Number.POSITIVE_INFINITY): Transform {
  let left = limit;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const passed = chunk.subarray(0, left);
      left -= passed.byteLength;
      if (passed.byteLength === chunk.byteLength) done(null, passed);
      else this.push(passed);
    },
  });
}

/** Passes on so many bytes, then calls `cut`. */
function cutAfter(limit = Number.POSITIVE_INFINITY, cut: () => void): Transform {
  let left = limit;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const passed = chunk.subarray(0, left);
      left -= passed.byteLength;
      this.push(passed);
      if (left > 0) return done();
      // After what was passed on has left this process.
      setImmediate(cut);
    },
  });
}
