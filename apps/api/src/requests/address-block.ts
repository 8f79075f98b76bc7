import { isIPv6 } from "node:net";

/**
 * Whom an address stands for when something is counted by it: an IPv4 address for itself, an IPv6 address for its /64,
 * which is the least that a provider gives to one customer.
 */
export function addressBlock(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const numTail = tail === undefined || tail === "" ? 0 : tail.split(":").length;
  const zeros = tail === undefined ? 0 : 8 - groups.length - numTail;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...(tail ? tail.split(":") : [])];
  const block = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${block.join(":")}::/64`;
}
