import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { IdBatch } from "../../src/export/node-ids.ts";
import { embeddingText, type LoaderFormat, type TextColumn, textLines } from "../../src/export/text-rows.ts";

const numbered = (...ids: bigint[]): IdBatch => ({
  type: "int64",
  length: ids.length,
  values: BigInt64Array.from(ids),
});

function named(...ids: string[]): IdBatch {
  const texts = ids.map((id) => Buffer.from(id));
  const offsets = [0, ...texts.map((_, i) => texts.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0))];
  return { type: "string", length: ids.length, offsets: Int32Array.from(offsets), bytes: Buffer.concat(texts) };
}

async function* inBatches(...batches: TextColumn[][]) {
  yield* batches;
}

const vectors = (ids: IdBatch, ...values: number[]) =>
  embeddingText({ ids, dim: 2, values: Float32Array.from(values) }, { id: "id", vector: "embedding" });

const written = (format: LoaderFormat, ...batches: TextColumn[][]) =>
  text(textLines(format, inBatches(...batches), null));

describe("what is no finite number", () => {
  it.each(["pgcopy", "jsonl", "neo4j"] as const)(
    "in a vector ends an export as %s, which says where",
    async (format) => {
      const fine = vectors(numbered(1n, 2n), 0, 1, 2, 3);
      await expect(written(format, fine, vectors(numbered(3n, 40n), 4, 5, 6, Number.NaN))).rejects.toMatchObject({
        code: "EXPORT_NOT_FINITE",
        message: expect.stringMatching(/^The vector "embedding" of "40", in row 4, is NaN in place 2 of 2; expected/),
        place: { line: 4 },
      });
      await expect(
        written(format, fine, vectors(named('say "hi"'), Number.NEGATIVE_INFINITY, 5)),
      ).rejects.toMatchObject({
        message: expect.stringMatching(/^The vector "embedding" of "say \\"hi\\"", in row 3, is -Infinity in place 1 /),
      });
    },
  );

  it("in a column of numbers is what the format has for a value that is not known", async () => {
    const values = Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY);
    const rows: TextColumn[] = [
      { name: "id", type: "id", ids: numbered(1n, 2n, 3n) },
      { name: "score", type: "number", isWhole: false, values },
    ];
    expect(await written("pgcopy", rows)).toBe("1\t0.5\n2\t\\N\n3\t\\N\n");
    expect(await written("neo4j", rows)).toBe("id:ID,score:float\n1,0.5\n2,\n3,\n");
    const lines = (await written("jsonl", rows)).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).score)).toEqual([0.5, null, null]);
  });
});
