import { expect, test } from "vitest";
import { readPickle } from "../../../src/io/pickle/read-pickle.ts";

const protocol2 = [0x80, 2];
const bytesOf = (text: string) => [...Buffer.from(text, "latin1")];
/** `X`: text with its length in four bytes */
const text = (value: string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(value));
  return [0x58, ...length, ...Buffer.from(value)];
};
const encode = bytesOf("c_codecs\nencode\n");

test("whole numbers, texts, lists and dicts are themselves", () => {
  const list = [...bytesOf("]("), 0x4b, 7, 0x4d, 0x39, 0x30, ...text("é"), ...bytesOf("e.")];
  expect(readPickle(Uint8Array.from([...protocol2, ...list]), 100)).toEqual([7, 12345, "é"]);
});

test("what a pickle would run is named, and not run", () => {
  const call = [...bytesOf("cos\nsystem\n"), ...text("touch /tmp/pickled"), 0x85, ...bytesOf("R.")];
  expect(() => readPickle(Uint8Array.from([...protocol2, ...call]), 100)).toThrow(/it would run os\.system/);
});

test("a text that is made bytes of again and again takes its memory once", () => {
  const size = 1_000_000;
  const rounds = 5000;
  const long = [...text("a".repeat(size)), 0x71, 0];
  const again = [...encode, 0x68, 0, ...text("latin1"), 0x86, 0x52];
  const bomb = Uint8Array.from([
    ...protocol2,
    0x5d,
    0x28,
    ...long,
    ...Array.from({ length: rounds }, () => again).flat(),
    ...bytesOf("e."),
  ]);
  expect(bomb.length).toBeLessThan(1.3 * size);
  const before = process.memoryUsage().arrayBuffers;
  const list = readPickle(bomb, 1_000_000) as readonly Uint8Array[];
  expect(list).toHaveLength(rounds + 1);
  expect(new Set(list).size).toBe(2);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * size);
});

test("more values than are allowed, and instructions that do not fit, are refused", () => {
  const many = Uint8Array.from([...protocol2, ...Array(50).fill(0x4e), ...bytesOf(".")]);
  expect(() => readPickle(many, 10)).toThrow(/more than 10 values/);
  expect(() => readPickle(Uint8Array.from([...protocol2, 0x61, 0x2e]), 10)).toThrow(/do not fit together/);
  expect(() => readPickle(Uint8Array.from([...protocol2, 0x58, 255, 255, 255, 127]), 10)).toThrow(/cut off/);
});
