import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";

describe("what is no HTTP", () => {
  const app = useApp();

  /** All that the service says to these bytes before it closes the connection. */
  async function say(bytes: string): Promise<{ head: string; body: Record<string, unknown> }> {
    const place = app().server.server.address();
    const socket = connect({ port: typeof place === "object" && place ? place.port : 0, allowHalfOpen: true });
    socket.end(bytes);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    return { head, body: JSON.parse(body) as Record<string, unknown> };
  }

  const table = [
    { what: "no method", bytes: "\0\0\0\r\n\r\n", status: 400, code: "REQUEST_INVALID" },
    {
      what: "two lengths of one body",
      bytes: "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      status: 400,
      code: "REQUEST_INVALID",
    },
    {
      what: "a header of 70 kB",
      bytes: `GET /healthz HTTP/1.1\r\nHost: x\r\nx: ${"y".repeat(70_000)}\r\n\r\n`,
      status: 413,
      code: "REQUEST_TOO_LARGE",
    },
    {
      what: "an expectation that nobody knows",
      bytes: "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
      status: 400,
      code: "REQUEST_INVALID",
    },
  ];

  const addresses = [
    { what: "a lone per cent sign", path: "/v1/store/%" },
    { what: "a per cent sign before letters", path: "/v1/jobs/%zz" },
  ];

  it.each(addresses)("an address with $what is answered as a problem with its code", async ({ path }) => {
    const { head, body } = await say(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(body).toMatchObject({ code: "REQUEST_INVALID", instance: path });
  });

  it.each(table)("$what is answered as a problem with its code", async ({ bytes, status, code }) => {
    const { head, body } = await say(bytes);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(body).toMatchObject({ status, code, type: `https://hopwise.dev/errors/${code}` });
  });
});
