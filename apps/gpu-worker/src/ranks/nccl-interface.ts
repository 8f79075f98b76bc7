import { networkInterfaces } from "node:os";

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Has NCCL listen and connect by the interface on which this rank may be reached, and by no other: left to itself it
 * listens on any that it finds. What the operator chose stands.
 *
 * @param address  numeric, of the rank's own host
 */
export function confineNccl(
  address: string,
  environment: NodeJS.ProcessEnv = process.env,
  interfaces: Interfaces = networkInterfaces(),
): void {
  const [name] = Object.entries(interfaces).find(([, all]) => all?.some((each) => each.address === address)) ?? [];
  // The equals sign asks for this name alone, not for all that begin so.
  if (name !== undefined) environment["NCCL_SOCKET_IFNAME"] ??= `=${name}`;
}
