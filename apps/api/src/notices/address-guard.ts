import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A request would go where webhooks may not. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";

  constructor(host: string, address: string) {
    const where = host === address ? address : `${host} is ${address}, which`;
    super(
      `${where} lies in a private or reserved network; the operator may allow it with HOPWISE_WEBHOOK_NETWORKS on the API.`,
    );
  }
}

/**
 * Where webhooks may be sent: to public addresses, and to the networks that the operator allows. Whoever may add a
 * webhook could otherwise reach what only this host reaches: cloud metadata, databases, the service itself.
 */
export class AddressGuard {
  readonly #allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  /** @param networks addresses, or ranges such as `10.0.0.0/8` */
  constructor(networks: readonly string[]) {
    this.#allowed = networks.map((network) => {
      if (network.includes("/")) return ipaddr.parseCIDR(network);
      const address = ipaddr.parse(network);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    });
  }

  allows(address: string): boolean {
    // `::ffff:10.0.0.1` is 10.0.0.1 to the system.
    const parsed = ipaddr.process(address);
    const isAllowed = this.#allowed.some(
      ([network, length]) => network.kind() === parsed.kind() && parsed.match(network, length),
    );
    return isAllowed || parsed.range() === "unicast";
  }

  /** @throws ForbiddenAddress when the host is written as an address, which is never looked up */
  checkLiteral({ hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !this.allows(host)) throw new ForbiddenAddress(host, host);
  }

  /**
   * Resolves a name for a connection. The connection goes to the addresses that were checked: a name that means another
   * address a moment later (DNS rebinding) is not asked for again.
   */
  readonly lookup: LookupFunction = (host, options, callback) => {
    const family = typeof options.family === "number" ? options.family : 0;
    resolve(host, { all: true, family }, (error, found) => {
      if (error) return callback(error, [], 0);
      const forbidden = found.find(({ address }) => !this.allows(address));
      if (forbidden) return callback(new ForbiddenAddress(host, forbidden.address), [], 0);
      const [first] = found;
      return options.all ? callback(null, found) : callback(null, first?.address ?? "", first?.family);
    });
  };
}
