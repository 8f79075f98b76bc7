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
    expect(ids.filter((id) => index.indexOf(id) < 0)).toEqual([]);
    expect(index.indexOf("7")).toBe(-1);
  });
});

describe("relabelling pairs of integers", () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: -5, max: 3000 }),
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  );
  const rows = fc.array(fc.tuple(key, key), { maxLength: 200 });

  it("numbers ids as adding them one by one does, whichever way each batch goes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(rows, fc.constantFrom("add", "look up", "as texts")), { maxLength: 6 }),
        (batches) => {
          const index = new IdIndex();
          const expected = new Map<number, number>();
          const placeOf = (id: number, isAdding: boolean) => {
            if (isAdding && !expected.has(id)) expected.set(id, expected.size);
            return expected.get(id) ?? -1;
          };
          for (const [batch, way] of batches) {
            const places = batch.map((pair) => pair.map((id) => placeOf(id, way !== "look up")));
            if (way === "as texts") {
              const found = batch.map((pair) => pair.map((id) => placeOrAdd(index, String(id))));
              expect(found).toEqual(places);
              continue;
            }
            const [src, dst] = [0, 1].map((end) => Float64Array.from(batch, (pair) => pair[end]!)) as [
              Float64Array,
              Float64Array,
            ];
            const found = index.relabelPairs(src, dst, way === "add");
            expect(batch.map((_, row) => [found.src[row], found.dst[row]])).toEqual(places);
          }
          expect([...index.ids()]).toEqual([...expected.keys()].map(String));
          for (const [id, place] of expected) expect(index.indexOf(String(id))).toBe(place);
        },
      ),
    );
  });

  it("finds ids again that were hashed before the direct part of the table reached them", () => {
    const index = new IdIndex();
    index.add("500000");
    const ids = Float64Array.from({ length: 400_000 }, (_, i) => i);
    index.relabelPairs(ids, ids, true);
    expect(index.indexOf("500000")).toBe(0);
    expect([...index.relabelPairs(Float64Array.of(500_000), Float64Array.of(399_999), false).src]).toEqual([0]);
    expect(index.size).toBe(400_001);
  });

  function placeOrAdd(index: IdIndex, id: string): number {
    const place = index.indexOf(id);
    return place < 0 ? index.add(id) : place;
  }
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
