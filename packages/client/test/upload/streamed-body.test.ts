import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendByFetch } from "../../src/upload/send-by-fetch.ts";
import { sendPiece } from "../../src/upload/send-piece.ts";
import type { UploadFile } from "../../src/upload/upload-file.ts";

const mib = 1024 ** 2;
const size = 400 * mib;
let server: Server;
let url: string;
let received = 0;
let mostHeld = 0;
let heldAtFirst = 0;

beforeAll(async () => {
  heldAtFirst = process.memoryUsage().arrayBuffers;
  server = createServer((request, response) => {
    if (request.url === "/moved") {
      response.writeHead(307, { location: "/elsewhere" }).end();
      return;
    }
    received = 0;
    request.on("data", (chunk: Buffer) => {
      received += chunk.length;
      mostHeld = Math.max(mostHeld, process.memoryUsage().arrayBuffers);
    });
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Zeros that are made as they are read. */
async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= mib) yield new Uint8Array(Math.min(left, mib));
}

const streamed = (start: number, end: number) => ({ stream: () => ReadableStream.from(zeros(end - start)) });
const file: UploadFile = {
  name: "zeros",
  size,
  ...streamed(0, size),
  slice: (start, end = size) => streamed(start, end),
};

async function heldBy(send: () => Promise<Response>): Promise<number> {
  mostHeld = 0;
  expect((await send()).ok).toBe(true);
  expect(received).toBeGreaterThanOrEqual(size);
  return mostHeld - heldAtFirst;
}

describe("a file that is streamed", () => {
  const call = () => ({ method: "PATCH", url, headers: {}, body: null, signal: null });

  it("by tus is not held: what has been sent is gone", async () => {
    const piece = { file, start: 0, end: size, onBytes: () => undefined };
    expect(await heldBy(() => sendPiece(call(), piece))).toBeLessThan(size / 2);
  });

  it("in a form is not held either", async () => {
    expect(await heldBy(() => sendByFetch({ url, headers: {}, files: [file] }))).toBeLessThan(size / 2);
  });

  it("follows no redirect, for which all of it would have to be kept", async () => {
    const piece = { file, start: 0, end: 10, onBytes: () => undefined };
    await expect(sendPiece({ ...call(), url: `${url}/moved` }, piece)).rejects.toThrow(/fetch failed/);
  });
});
