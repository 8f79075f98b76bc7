import { createHmac } from "node:crypto";
import { BlockList, connect, createServer, isIP, isIPv6, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type SecureContextOptions, connect as tlsConnect } from "node:tls";
import { GnnError } from "../../errors/gnn-error.ts";

const secretBytes = 32;
const identity = "hopwise-samplers";

/** Where a server listens: a numeric address, and the first free port of a range; [0, 0] is any. */
export interface ListenPlace {
  readonly address: string;
  readonly ports: readonly [first: number, last: number];
}

/**
 * @param secret both sides know it, or the connection fails; null: anybody may connect, unencrypted
 * @throws GnnError SPEC_INVALID for an address of all interfaces, one beyond this host without a secret, or a secret of
 * another length; RANK_LOST when no port is free
 */
export async function listen(
  { address, ports: [first, last] }: ListenPlace,
  secret: Uint8Array | null,
  onSocket: (socket: Socket) => void,
): Promise<{ server: Server; endpoint: string }> {
  requireSafe(address, secret);
  // Strangers fail in the handshake and come to nothing; their errors are theirs.
  const server = secret
    ? createTlsServer({ ...tlsOptions, pskCallback: () => keyOf(secret) }, onSocket).on(
        "tlsClientError",
        () => undefined,
      )
    : createServer(onSocket);
  for (let port = first; port <= last; port++) {
    if (await isListening(server, address, port)) return { server, endpoint: endpointOf(server) };
  }
  const message = `No port from ${first} to ${last} is free on ${address} for a sampler process; widen the range of ports.`;
  throw new GnnError("RANK_LOST", message);
}

/**
 * Connects; the handshake may still fail. @throws GnnError SPEC_INVALID for what is no endpoint, or a secret of another
 * length
 */
export function dial(endpoint: string, secret: Uint8Array | null): Socket {
  const place = parseEndpoint(endpoint);
  if (!secret) return connect(place);
  requireLength(secret);
  const pskCallback = () => ({ identity, psk: keyOf(secret) });
  return tlsConnect({ ...tlsOptions, ...place, pskCallback, checkServerIdentity: () => undefined });
}

/** Emitted by a socket of `dial` when both sides can speak. */
export function connectedEvent(secret: Uint8Array | null): "connect" | "secureConnect" {
  return secret ? "secureConnect" : "connect";
}

/**
 * Only ciphers that prove the key on both sides: nobody gets by with a certificate. Ephemeral, so a key found later
 * opens no old stream.
 */
const tlsOptions = {
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
} as const satisfies SecureContextOptions;

/** The ranks' secret encrypts other connections too: this is a key of its own. */
function keyOf(secret: Uint8Array): Buffer {
  return createHmac("sha256", secret).update(identity).digest();
}

async function isListening(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") return resolve(false);
      const message = `A sampler process cannot listen on ${host}: ${error.message}; name an address of this host.`;
      reject(new GnnError("RANK_LOST", message, { cause: error }));
    };
    server.once("error", failed);
    server.listen({ host, port }, () => {
      server.off("error", failed);
      resolve(true);
    });
  });
}

function endpointOf(server: Server): string {
  const { address, port } = server.address() as { address: string; port: number };
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}

function parseEndpoint(endpoint: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(endpoint) ?? [];
  const host = bracketed ?? plain ?? "";
  if (isIP(host)) return { host, port: Number(port) };
  throw new GnnError(
    "SPEC_INVALID",
    `"${endpoint}" is no endpoint of a sampler process; expected address:port, like 10.0.0.2:41003.`,
  );
}

function requireSafe(address: string, secret: Uint8Array | null): void {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (!isIP(address)) throw new GnnError("SPEC_INVALID", `"${address}" is no numeric address to listen on.`);
  if (everywhere.check(address, family)) {
    const message = `${address} means every interface; name the one address at which the ranks reach this host.`;
    throw new GnnError("SPEC_INVALID", message);
  }
  if (secret) requireLength(secret);
  else if (!loopback.check(address, family)) {
    const message = `Without a secret a sampler process listens on a loopback address only, not on ${address}: give all of them and the ranks the same ${secretBytes} random bytes.`;
    throw new GnnError("SPEC_INVALID", message);
  }
}

function requireLength(secret: Uint8Array): void {
  if (secret.length === secretBytes) return;
  throw new GnnError("SPEC_INVALID", `The secret has ${secret.length} bytes; expected ${secretBytes} random ones.`);
}

const everywhere = new BlockList();
everywhere.addAddress("0.0.0.0");
everywhere.addAddress("::", "ipv6");
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");
