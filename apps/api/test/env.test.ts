import { expect, it } from "vitest";
import { readEnv } from "../src/env.ts";

it("has a default for everything", () => {
  expect(readEnv({})).toMatchObject({
    server: { host: "127.0.0.1", port: 4680, publicUrl: "http://127.0.0.1:4680" },
    database: { url: undefined },
    redis: { url: undefined },
    components: [],
    limits: { requestsPerMinute: 1200 },
  });
});

it("takes an empty variable as not set, as compose files write it", () => {
  expect(readEnv({ DATABASE_URL: "", HOPWISE_PORT: "" }).server.port).toBe(4680);
});

it("splits component folders at colons", () => {
  expect(readEnv({ HOPWISE_COMPONENTS: "/a:/b" }).components).toEqual(["/a", "/b"]);
});

it("splits trusted proxies at commas, and takes addresses and ranges only", () => {
  expect(readEnv({}).server.trustedProxies).toEqual([]);
  const { trustedProxies } = readEnv({ HOPWISE_TRUSTED_PROXIES: " 10.0.0.7, fd00::/8,192.168.0.0/16 " }).server;
  expect(trustedProxies).toEqual(["10.0.0.7", "fd00::/8", "192.168.0.0/16"]);
  for (const bad of ["proxy.example", "10.0.0.0/33", "10.0.0.0/", "*", "true", "::/129", "10.0.0.1/8/8"]) {
    expect(() => readEnv({ HOPWISE_TRUSTED_PROXIES: bad })).toThrow("HOPWISE_TRUSTED_PROXIES");
  }
});

it("takes a server for e-mail with the address that it comes from, and neither alone", () => {
  expect(readEnv({}).mail).toBeNull();
  const both = { HOPWISE_SMTP_URL: "smtps://user:p%40ss@mail.example:465", HOPWISE_MAIL_FROM: "hop@example.com" };
  expect(readEnv(both).mail).toEqual({ smtpUrl: both.HOPWISE_SMTP_URL, from: both.HOPWISE_MAIL_FROM });
  for (const name of ["HOPWISE_SMTP_URL", "HOPWISE_MAIL_FROM"] as const)
    expect(() => readEnv({ ...both, [name]: "" })).toThrow(name);
  for (const bad of ["http://mail.example", "smtp://user:%E0%A4%A@mail.example", "mail.example"])
    expect(() => readEnv({ ...both, HOPWISE_SMTP_URL: bad })).toThrow("HOPWISE_SMTP_URL");
  expect(() => readEnv({ ...both, HOPWISE_MAIL_FROM: "Hop <hop@example.com>" })).toThrow("HOPWISE_MAIL_FROM");
});

it("names every bad variable and never a value", () => {
  const bad = {
    HOPWISE_PORT: "sesame-1",
    DATABASE_URL: "mysql://user:sesame-2@host/db",
    HOPWISE_METRICS_TOKEN: "sesame-3",
    HOPWISE_LOG_LEVEL: "sesame-4",
  };
  const message = messageOf(() => readEnv(bad));
  for (const name of Object.keys(bad)) expect(message).toContain(name);
  expect(message).not.toContain("sesame");
});

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return "";
}
