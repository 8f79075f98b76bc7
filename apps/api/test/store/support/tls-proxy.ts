import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";

/** An authority of one's own and a certificate from it, made for this run. */
export class OwnAuthority {
  readonly #dir: string;

  /**
   * @param dir an empty folder
   * @param names that the certificate has
   */
  constructor(dir: string, names = "IP:127.0.0.1") {
    this.#dir = dir;
    const days = ["-days", "2"];
    const key = (name: string) => [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-keyout",
      name,
    ];
    openssl(dir, ["req", "-x509", ...key("ca.key"), "-out", "ca.pem", "-subj", "/CN=Test authority", ...days]);
    const issued = ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", `subjectAltName=${names}`];
    openssl(dir, ["req", "-x509", ...key("server.key"), "-out", "server.pem", "-subj", "/CN=api", ...issued, ...days]);
  }

  /** For NODE_EXTRA_CA_CERTS */
  get file(): string {
    return join(this.#dir, "ca.pem");
  }

  get certificate(): { readonly key: Buffer; readonly cert: Buffer } {
    const [key, cert] = ["server.key", "server.pem"].map((name) => readFileSync(join(this.#dir, name)));
    return { key: key as Buffer, cert: cert as Buffer };
  }
}

/** What people put before the API: it ends TLS and passes everything on. */
export class TlsProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async before(port: number, authority: OwnAuthority): Promise<TlsProxy> {
    const server = createServer(authority.certificate);
    const proxy = new TlsProxy(server);
    server.on("secureConnection", (socket) => proxy.#join(socket, connect(port, "127.0.0.1")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(outer: Socket, inner: Socket): void {
    for (const [from, to] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  }
}

function openssl(cwd: string, args: readonly string[]): void {
  execFileSync("openssl", args, { cwd, stdio: "pipe" });
}
