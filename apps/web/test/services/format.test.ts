import { expect, test } from "vitest";
import { formatBytes, formatFields, formatFigure, formatSeconds, humanize } from "../../src/services/format.ts";
import { degreeBars, reportLines } from "../../src/services/graph-facts.ts";
import { tokenOf } from "../../src/services/session.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [150 * 1024, "150 KiB"],
  [3 * 1024 ** 3, "3.0 GiB"],
])("%d bytes read %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0.34, "340 ms"],
  [4.24, "4.2 s"],
  [59, "59 s"],
  [185, "3 min 5 s"],
  [8040, "2 h 14 min"],
])("%d seconds read %s", (seconds, text) => expect(formatSeconds(seconds)).toBe(text));

test("figures keep four significant digits and say nothing of NaN", () => {
  expect(formatFigure(0.43217)).toBe("0.4322");
  expect(formatFigure(0.00001234)).toBe("1.23e-5");
  expect(formatFigure(12345)).toBe("12,345");
  expect(formatFigure(Number.NaN)).toBe("–");
});

test("option names become words", () => {
  expect(humanize("hiddenFeats")).toBe("Hidden features");
  expect(humanize("numLayers")).toBe("Number of layers");
  expect(humanize("lr")).toBe("Learning rate");
  expect(humanize("val/accuracy")).toBe("val/accuracy");
});

test("a degree bin is named by the degrees in it", () => {
  expect(degreeBars({ edges: [0, 1, 2, 4, 8], counts: [5, 4, 3, 2] }).map((bar) => bar.label)).toEqual([
    "0",
    "1",
    "2–3",
    "4–7",
  ]);
});

test("the report mentions what occurred, in the singular for one", () => {
  const report = { rowsRead: 10, duplicateEdges: 1, selfLoops: 0, danglingIds: 2, isolatedNodes: 0 };
  expect(reportLines(report)).toEqual([
    "10 rows were read",
    "1 edge appeared more than once",
    "2 ids in the edges were not among the nodes",
  ]);
});

test("a pasted link gives its token, and an API key is refused with the reason", () => {
  expect(tokenOf(" http://127.0.0.1:4680/sign-in?token=hws_a%2Bb ")).toBe("hws_a+b");
  expect(tokenOf("hws_abc")).toBe("hws_abc");
  expect(() => tokenOf("hw_abc")).toThrow("Keys are for scripts");
});

test("the fields of a log line read as one line in one order, without what is missing", () => {
  const fields = { step: 3, model: "sage", "val/loss": 0.432109, epoch: 7, "val/accuracy": null, formats: ["npy"] };
  const line = 'epoch 7 · step 3 · formats ["npy"] · model sage · val/loss 0.4321';
  expect(formatFields(fields)).toBe(line);
  expect(formatFields(Object.fromEntries(Object.entries(fields).toReversed()))).toBe(line);
  expect(formatFields(null)).toBe("");
});
