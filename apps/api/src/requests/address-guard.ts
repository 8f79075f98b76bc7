import { lookup as resolve } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A request would go where requests of its kind may not. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";

  /** @param variable the environment variable by which the operator allows networks */
  constructor(host: string, address: string, variable: string) {
    const where = host === address ? address : `${host} is ${address}, which`;
    super(`${where} lies in a private or reserved network; the operator may allow it with ${variable} on the API.`);
  }
}

/** The environment variables by which the operator allows networks to requests that users have the service make. */
export type NetworksVariable = "HOPWISE_WEBHOOK_NETWORKS" | "HOPWISE_IMPORT_NETWORKS";

/**
 * Where requests may go whose address a user has named: to public addresses, and to the networks that the operator
 * allows. Users could otherwise reach what only this host reaches: cloud metadata, databases, the service itself.
 */
export class AddressGuard {
  readonly #allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  readonly #variable: NetworksVariable;

  /**
   * @param networks addresses, or ranges such as `10.0.0.0/8`
   * @param variable where they come from, for what is said of others
   */
  constructor(networks: readonly string[], variable: NetworksVariable) {
    this.#variable = variable;
    this.#allowed = networks.map((network) => {
      if (network.includes("/")) return ipaddr.parseCIDR(network);
      const address = ipaddr.parse(network);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    });
  }

  allows(address: string): boolean {
    return this.isNamed(address) || ipaddr.process(address).range() === "unicast";
  }

  /** Whether the operator allows the address by name, and not only because it is public. */
  isNamed(address: string): boolean {
    // `::ffff:10.0.0.1` is 10.0.0.1 to the system.
    const parsed = ipaddr.process(address);
    return this.#allowed.some(([network, length]) => network.kind() === parsed.kind() && parsed.match(network, length));
  }

  /** @throws ForbiddenAddress when the host is written as an address, which is never looked up */
  checkLiteral({ hostname }: URL): void {
    const host = hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !this.allows(host)) throw new ForbiddenAddress(host, host, this.#variable);
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
      if (forbidden) return callback(new ForbiddenAddress(host, forbidden.address, this.#variable), [], 0);
      const [first] = found;
      return options.all ? callback(null, found) : callback(null, first?.address ?? "", first?.family);
    });
  };
}
