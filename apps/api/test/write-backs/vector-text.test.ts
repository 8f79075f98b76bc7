import fc from "fast-check";
import { expect, it } from "vitest";
import { countLines, inForm, wholeLines } from "../../src/write-backs/sql/vector-text.ts";

/** What PostgreSQL's text format makes of an id: no tab or line break stands in it. */
const escaped = (id: string) =>
  id.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r");

const row = fc.record({
  id: fc.oneof(fc.string({ unit: "binary", maxLength: 8 }), fc.constantFrom("[a,b]", "a\tb", "x\n[1,2]", "", "{}")),
  numbers: fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 4 }),
});

async function piecesIn(form: Parameters<typeof inForm>[1], bytes: Uint8Array, cuts: readonly number[]) {
  async function* cut() {
    let from = 0;
    for (const to of cuts.toSorted((a, b) => a - b)) {
      yield bytes.subarray(from, to);
      from = to;
    }
    yield bytes.subarray(from);
  }
  let text = "";
  let lines = 0;
  for await (const piece of wholeLines(cut())) {
    lines += countLines(piece);
    text += inForm(piece, form).toString("utf8");
  }
  return { text, lines };
}

it("vectors are written in each form, wherever the bytes are cut and whatever the ids hold", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 5 }), async (rows, cuts) => {
      const write = (begin: string, between: string, end: string) =>
        rows.map(({ id, numbers }) => `${escaped(id)}\t${begin}${numbers.join(between)}${end}\n`).join("");
      const bytes = new TextEncoder().encode(write("[", ",", "]"));
      const within = cuts.map((cut) => Math.min(cut, bytes.byteLength));
      const expected = { vector: write("[", ",", "]"), array: write("{", ",", "}"), columns: write("", "\t", "") };
      for (const form of ["vector", "array", "columns"] as const)
        expect(await piecesIn(form, bytes, within)).toEqual({ text: expected[form], lines: rows.length });
    }),
    { numRuns: 300 },
  );
});
