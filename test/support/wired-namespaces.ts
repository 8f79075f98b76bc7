import { execFileSync } from "node:child_process";

export interface NetworkEnd {
  /** Name of the network namespace */
  readonly namespace: string;
  readonly address: string;
}

/** Two network namespaces of this machine joined by a wire (veth), as two hosts with nothing else between them. */
export class WiredNamespaces {
  readonly ends: readonly [NetworkEnd, NetworkEnd];

  private constructor(name: string) {
    this.ends = [
      { namespace: `${name}a`, address: "10.231.77.1" },
      { namespace: `${name}b`, address: "10.231.77.2" },
    ];
  }

  /** Null where the machine does not let us: not root, or a kernel without veth. */
  static create(): WiredNamespaces | null {
    const wired = new WiredNamespaces(`hw${process.pid}`);
    const [a, b] = wired.ends;
    try {
      for (const { namespace } of wired.ends) ip("netns", "add", namespace);
      ip("link", "add", "wire", "netns", a.namespace, "type", "veth", "peer", "name", "wire", "netns", b.namespace);
      for (const { namespace, address } of wired.ends) {
        ip("-n", namespace, "address", "add", `${address}/30`, "dev", "wire");
        for (const device of ["lo", "wire"]) ip("-n", namespace, "link", "set", device, "up");
      }
      return wired;
    } catch {
      wired.remove();
      return null;
    }
  }

  /** Bytes that came to an end over the wire */
  static receivedBytes({ namespace }: NetworkEnd): number {
    const file = "/sys/class/net/wire/statistics/rx_bytes";
    return Number(execFileSync("ip", ["netns", "exec", namespace, "cat", file], { encoding: "utf8" }));
  }

  remove(): void {
    for (const { namespace } of this.ends) {
      try {
        ip("netns", "delete", namespace);
      } catch {
        // It was never made.
      }
    }
  }
}

function ip(...command: string[]): void {
  execFileSync("ip", command, { stdio: "ignore" });
}
