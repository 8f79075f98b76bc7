import fc from "fast-check";
import { expect, test } from "vitest";
import { damagedLine } from "../../src/io/encoding/damaged-line.ts";
import { decoderOf } from "../../src/io/encoding/decode-text.ts";
import { certainEncoding } from "../../src/io/encoding/detect-encoding.ts";
import { encodings } from "../../src/io/encoding/encodings.ts";
import { utf8TextOf } from "../../src/io/graph-files/bounded-records.ts";

const undefinedBytes = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/** As Python's codec cp1252 has them; Node's own decoder takes these bytes for control codes. */
const between80And9f = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

test("the bytes of windows-1252 are the characters that Python has for them, and five bytes have none", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !undefinedBytes.includes(byte));
  const latin = Buffer.from(all).toString("latin1");
  const expected = latin.slice(0, 0x80) + between80And9f + latin.slice(-0x60);
  expect(decoderOf("windows-1252").decode(all)).toBe(expected);
  for (const byte of undefinedBytes)
    expect(() => decoderOf("windows-1252").decode(Uint8Array.of(0x41, byte))).toThrow("no character");
});

test.each(encodings)("a text in %s is the same however it is cut into pieces", (encoding) => {
  const characters = encoding === "windows-1252" ? ["a", "é", "€", "\n"] : ["a", "é", "€", "\n", "𝄞"];
  const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 30 });
  const cuts = fc.array(fc.nat(60), { maxLength: 5 });
  fc.assert(
    fc.property(text, cuts, (wanted, places) => {
      const bytes = encode(wanted, encoding);
      const ends = [...places.map((place) => Math.min(place, bytes.length)), bytes.length].toSorted((a, b) => a - b);
      const decoder = decoderOf(encoding);
      const pieces = ends.map((end, i) => decoder.decode(bytes.subarray(ends[i - 1] ?? 0, end)));
      expect(pieces.join("") + decoder.end()).toBe(wanted);
    }),
  );
});

test("UTF-16 without a byte order mark is told from UTF-8, from numbers in binary and from zeros", () => {
  const text = "src,dst\n1,2\n2,3\n";
  const utf16 = Buffer.from(text, "utf16le");
  expect(certainEncoding(utf16, "f")).toBe("utf-16le");
  expect(certainEncoding(Buffer.from(utf16).swap16(), "f")).toBe("utf-16be");
  expect(certainEncoding(Buffer.from(text), "f")).toBe("utf-8");
  const binary = Uint16Array.from({ length: 100 }, (_, i) => i);
  expect(certainEncoding(new Uint8Array(binary.buffer), "f")).toBe("utf-8");
  expect(certainEncoding(new Uint8Array(100), "f")).toBe("utf-8");
});

function encode(text: string, encoding: (typeof encodings)[number]): Uint8Array {
  if (encoding === "utf-8") return Buffer.from(text);
  if (encoding === "windows-1252") return Buffer.from(text.replaceAll("€", "\x80"), "latin1");
  const bytes = Buffer.from(text, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

test("the line of bytes that are not UTF-8 is told, however the text is cut into pieces", async () => {
  const damaged = Buffer.concat([Buffer.from("é\n𝄞, €\nab€"), Buffer.of(0xe9), Buffer.from("\nmore\n")]);
  expect(damagedLine(damaged)).toBe(3);
  for (let size = 1; size <= damaged.length; size++) {
    const pieces = Array.from({ length: Math.ceil(damaged.length / size) }, (_, i) =>
      damaged.subarray(i * size, (i + 1) * size),
    );
    const read = async () => {
      for await (const text of utf8TextOf(asyncPieces(pieces), "g.gml")) expect(text).not.toContain("\ufffd");
    };
    const place = { file: "g.gml", line: 3 };
    await expect(read()).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID", place });
  }
});

async function* asyncPieces(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}
