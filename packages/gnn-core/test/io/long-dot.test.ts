import { expect, test } from "vitest";
import { parseDot } from "../../src/io/graph-files/dot.ts";

test("a graph in DOT that is too long to be held is refused before all of it has been read", async () => {
  const piece = "a -- b;".padEnd(2 ** 20);
  let read = 0;
  async function* endless() {
    yield "graph {";
    for (;;) {
      read += piece.length;
      yield piece;
    }
  }
  const reading = async () => {
    for await (const _ of parseDot(endless(), "g.dot", { directed: null, edgeDefaults: new Map(), notes: new Set() }))
      expect.fail("a record");
  };
  await expect(reading()).rejects.toMatchObject({ code: "DATASET_LIMIT_EXCEEDED", place: { file: "g.dot" } });
  expect(read).toBeLessThanOrEqual(2 ** 27 + 2 ** 20);
});
