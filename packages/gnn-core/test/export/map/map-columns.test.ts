import { describe, expect, it } from "vitest";
import { type MapColumn, mapColumns } from "../../../src/export/map/map-columns.ts";
import type { PredictionColumns } from "../../../src/tasks/known-nodes.ts";

const labels = ["cat", null, "dog", "owl", "cat"];
const classes = ["dog", "cat", "owl"];

/** Two outputs a row: the probability of a dog, and that of a cat. */
const classification: PredictionColumns = (start, outputs) => {
  const rows = Array.from({ length: outputs.length / 2 }, (_, row) => row);
  return [
    { name: "label", type: "text", values: rows.map((row) => labels[start + row] ?? null) },
    { name: "predicted", type: "text", values: rows.map((row) => (outputs[2 * row]! > 0.5 ? "dog" : "cat")) },
    { name: "p_dog", type: "float32", values: Float32Array.from(rows, (row) => outputs[2 * row]!) },
    { name: "p_cat", type: "float32", values: Float32Array.from(rows, (row) => outputs[2 * row + 1]!) },
  ];
};
const outputs = { values: Float32Array.from([0.25, 0.75, 0.5, 0.5, 1, 0, 0.75, 0.25, 0.5, 0.5]), width: 2 };

/** Texts for codes. */
const read = (column: MapColumn | undefined) =>
  column?.type === "category"
    ? Array.from(column.values, (code) => (code < 0 ? null : column.names[code]))
    : [...(column?.values ?? [])];

describe("what the points of a map are coloured by", () => {
  const columns = (rows: number[]) => {
    const found = mapColumns(classification, outputs, Int32Array.from(rows), classes);
    return Object.fromEntries(found.map((column) => [column.name, read(column)]));
  };

  it("is what the task exports, with the confidence in what was predicted, and what is mistaken", () => {
    expect(columns([0, 1, 2, 3, 4])).toEqual({
      label: ["cat", null, "dog", "owl", "cat"],
      predicted: ["cat", "cat", "dog", "dog", "cat"],
      p_dog: [0.25, 0.5, 1, 0.75, 0.5],
      p_cat: [0.75, 0.5, 0, 0.25, 0.5],
      mistake: ["right", null, "right", "wrong", "right"],
      confidence: [0.75, 0.5, 1, 0.75, 0.5],
    });
  });

  it("belongs to the points that are drawn", () => {
    expect(columns([1, 3])).toMatchObject({ label: [null, "owl"], confidence: [0.5, 0.75], mistake: [null, "wrong"] });
  });

  it("names categories in the order of the classes, and leaves out classes that no point has", () => {
    const [label] = mapColumns(classification, outputs, Int32Array.from([0, 2]), classes);
    expect(label).toMatchObject({ name: "label", names: ["dog", "cat"], values: Int32Array.from([1, 0]) });
  });

  it("has numbers alone where the task predicts numbers", () => {
    const regression: PredictionColumns = (_start, values) => [
      { name: "predicted_price", type: "float32", values: values.slice() },
    ];
    const found = mapColumns(
      regression,
      { values: Float32Array.from([3, 1, 4]), width: 1 },
      Int32Array.from([0, 2]),
      [],
    );
    expect(found.map(({ name, type, values }) => [name, type, [...values]])).toEqual([
      ["predicted_price", "number", [3, 4]],
    ]);
  });

  it("leaves out texts that differ nearly everywhere", () => {
    const names: PredictionColumns = (start, values) => [
      { name: "title", type: "text", values: Array.from(values, (_, i) => `title ${start + i}`) },
    ];
    const numRows = 1001;
    const rows = Int32Array.from({ length: numRows }, (_, row) => row);
    expect(mapColumns(names, { values: new Float32Array(numRows), width: 1 }, rows, [])).toEqual([]);
    expect(mapColumns(names, { values: new Float32Array(numRows), width: 1 }, rows.subarray(1), [])).toHaveLength(1);
  });
});
