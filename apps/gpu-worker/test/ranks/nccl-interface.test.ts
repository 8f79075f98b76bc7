import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { confineNccl } from "../../src/ranks/nccl-interface.ts";

const address = (numeric: string) =>
  ({ address: numeric, family: "IPv4", netmask: "255.0.0.0", mac: "", internal: false, cidr: null }) as const;
const interfaces = { lo: [address("127.0.0.1")], eth0: [address("192.0.2.7")], eth01: [address("198.51.100.7")] };

test.each([
  ["127.0.0.1", "=lo"],
  ["192.0.2.7", "=eth0"],
  ["198.51.100.7", "=eth01"],
])("a rank that is reached at %s has NCCL use %s alone", (reached, expected) => {
  const environment: NodeJS.ProcessEnv = {};
  confineNccl(reached, environment, interfaces);
  expect(environment["NCCL_SOCKET_IFNAME"]).toBe(expected);
});

test("what the operator chose stands", () => {
  const environment: NodeJS.ProcessEnv = { NCCL_SOCKET_IFNAME: "ib" };
  confineNccl("127.0.0.1", environment, interfaces);
  expect(environment["NCCL_SOCKET_IFNAME"]).toBe("ib");
});

test("an address that no interface has chooses none, and this host's loopback has a name", () => {
  const environment: NodeJS.ProcessEnv = {};
  confineNccl("203.0.113.1", environment, interfaces);
  expect(environment).toEqual({});
  confineNccl("127.0.0.1", environment);
  const [, name = ""] = /^=(.+)$/.exec(environment["NCCL_SOCKET_IFNAME"] ?? "") ?? [];
  expect(networkInterfaces()[name]?.map((each) => each.address)).toContain("127.0.0.1");
});
