import { describe, expect, it } from "vitest";
import { addressesIn, namesOf } from "../../src/services/import-addresses.ts";

describe("addresses that somebody has written", () => {
  it("stand one in a line, with a name before them or none", () => {
    const text = "\n https://example.com/a/edges.csv?x=1 \nmy nodes.csv  https://example.com/download?id=17\n";
    const read = addressesIn(text);
    expect(read).toEqual({
      files: [
        { url: "https://example.com/a/edges.csv?x=1" },
        { url: "https://example.com/download?id=17", name: "my nodes.csv" },
      ],
    });
    expect(namesOf("files" in read ? read.files : [])).toEqual([{ name: "edges.csv" }, { name: "my nodes.csv" }]);
  });

  it.each(["edges.csv", "https:///x", "ftp://example.com/a", "https://example.com/a b"])(
    "are missed with the line: %s",
    (line) => {
      expect(addressesIn(`https://example.com/a\n${line}`)).toEqual({
        objection: "Line 2 has no address that begins with https:// or s3://.",
      });
    },
  );
});
