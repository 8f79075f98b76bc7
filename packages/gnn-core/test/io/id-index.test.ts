import { arbitraryIds } from "@hopwise/test-support";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCanonicalInt64 } from "../../src/io/ingest/canonical-int64.ts";
import { IdIndex } from "../../src/io/ingest/id-index.ts";
import { shortInteger } from "../../src/io/ingest/integer-table.ts";

describe("IdIndex", () => {
  it("gives every distinct text its own index, in order, and the text back unchanged", () => {
    fc.assert(
      fc.property(arbitraryIds(30), (ids) => {
        const index = new IdIndex();
        for (const id of ids) {
          expect(index.indexOf(id)).toBe(-1);
          index.add(id);
        }
        expect([...index.ids()]).toEqual(ids);
        expect(ids.map((id) => index.indexOf(id))).toEqual(ids.map((_, i) => i));
        expect(index.isInt64).toBe(ids.every((id) => isCanonicalInt64(id)));
      }),
    );
  });

  it("finds each of many integers, dense, sparse and negative", () => {
    const index = new IdIndex();
    const ids = Array.from({ length: 50_000 }, (_, i) => String((i % 2 === 0 ? 1 : -1) * i ** 3));
    for (const id of new Set(ids)) index.add(id);
    expect([...index.ids()]).toEqual([...new Set(ids)]);
    for (const id of ids) expect(index.indexOf(id)).toBeGreaterThanOrEqual(0);
    expect(index.indexOf("7")).toBe(-1);
  });
});

describe("shortInteger", () => {
  it("takes exactly the texts that print as themselves", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.maxSafeInteger().map(String), fc.stringMatching(/^[-+]?\d{0,17}$/)),
        (text) => {
          const isShort = isCanonicalInt64(text) && text.replace("-", "").length <= 15;
          expect(shortInteger(text)).toBe(isShort ? Number(text) : Number.NaN);
        },
      ),
      { examples: [["-0"], ["0"], [""], ["-"], ["007"], ["1e5"], ["+1"]] },
    );
  });
});
