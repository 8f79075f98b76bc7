import { expect, test } from "vitest";
import { acceptedEncoding } from "../../src/plugins/compression.ts";

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["GZIP ; q=0.3", "gzip"],
  ["*", "br"],
  ["identity, *;q=0", null],
  ["deflate", null],
  ["", null],
  [undefined, null],
])("of “%s” the answer is sent as %s", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
