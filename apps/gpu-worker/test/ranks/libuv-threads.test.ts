import { expect, test } from "vitest";
import { libuvThreads } from "../../src/ranks/libuv-threads.ts";

test("every sampler thread has one of libuv's beside its own four", () => {
  expect(libuvThreads({ samplerThreads: 8 })).toBe(4 + 8);
  expect(libuvThreads({ chunkSize: 4096 })).toBe(4);
});
