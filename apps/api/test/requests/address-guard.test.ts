import { describe, expect, it } from "vitest";
import { AddressGuard, ForbiddenAddress } from "../../src/requests/address-guard.ts";

const strict = new AddressGuard([], "HOPWISE_WEBHOOK_NETWORKS");

describe("where webhooks may be sent", () => {
  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "::1",
    "::",
    "fd00::1",
    "fe80::1",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001:db8::1",
  ])("not to %s", (address) => {
    expect(strict.allows(address)).toBe(false);
  });

  it.each(["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "::ffff:1.1.1.1"])("to %s", (address) => {
    expect(strict.allows(address)).toBe(true);
  });

  it("to the networks that the operator names, and no further", () => {
    const guard = new AddressGuard(["10.1.0.0/16", "127.0.0.1", "fd00:1::/32"], "HOPWISE_WEBHOOK_NETWORKS");
    const tried = ["10.1.255.1", "10.2.0.1", "127.0.0.1", "127.0.0.2", "fd00:1::5", "fd00:2::5", "::ffff:10.1.0.1"];
    expect(tried.filter((address) => guard.allows(address))).toEqual([
      "10.1.255.1",
      "127.0.0.1",
      "fd00:1::5",
      "::ffff:10.1.0.1",
    ]);
  });

  it.each(["http://2130706433/", "http://0x7f.1/", "http://[::ffff:127.0.0.1]:8080/"])(
    "not to this host in another notation: %s",
    (url) => {
      expect(() => strict.checkLiteral(new URL(url))).toThrow(ForbiddenAddress);
    },
  );

  it("checks what a name stands for, and connects to nothing else", async () => {
    const ask = (guard: AddressGuard) =>
      new Promise((resolve) => guard.lookup("localhost", { all: true }, (error, found) => resolve(error ?? found)));
    expect(await ask(strict)).toMatchObject({
      message: expect.stringMatching(/^localhost is .*HOPWISE_WEBHOOK_NETWORKS/),
    });
    expect(await ask(new AddressGuard(["127.0.0.0/8", "::1"], "HOPWISE_WEBHOOK_NETWORKS"))).toContainEqual({
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
      family: expect.any(Number),
    });
  });
});
