import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isUnspecified } from "@hopwise/contracts";

/**
 * The numeric address at which ranks of other hosts reach the ranks of this one: as given, or that of an interface.
 *
 * @throws Error when nobody else could connect to it
 */
export function rankAddress(setting: string, interfaces = networkInterfaces()): string {
  const address = isIP(setting) ? setting : addressOf(setting, interfaces);
  if (isUnspecified(address))
    throw new Error(`${address} means every interface; name one address or interface that other hosts can reach`);
  if (address === "127.0.0.1" || address === "::1")
    throw new Error(`${address} means each host itself; name an address or interface that other hosts can reach`);
  return address;
}

function addressOf(name: string, interfaces: ReturnType<typeof networkInterfaces>): string {
  const found = interfaces[name] ?? [];
  const chosen = found.find(({ family }) => family === "IPv4") ?? found[0];
  if (!chosen) {
    const known = Object.keys(interfaces).join(", ");
    throw new Error(
      `${JSON.stringify(name)} is neither a numeric address nor an interface with one; there are ${known}`,
    );
  }
  return chosen.address;
}
