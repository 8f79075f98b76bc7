import { expect, test } from "vitest";
import { libuvThreads } from "../../src/ranks/libuv-threads.ts";

test("every sampler thread has one of libuv's beside its own four", () => {
  expect(libuvThreads({ samplerThreads: 8 })).toBe(4 + 8);
});

test("a step that does not sample has as many as one with a single sampler thread, so that both can share a process", () => {
  expect(libuvThreads({ chunkSize: 4096 })).toBe(libuvThreads({ samplerThreads: 1 }));
});
