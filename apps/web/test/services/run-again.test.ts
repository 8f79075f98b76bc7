import { expect, test } from "vitest";
import { hoursOf, lastOf, readRunAgain } from "../../src/services/run-again.ts";
import { specDifferences, valueText } from "../../src/services/spec-difference.ts";

test("epochs and hours are read as they are typed; the time limit becomes an ISO duration", () => {
  const read = (epochs: string, hours: string) => readRunAgain({ from: "CHECKPOINT", epochs, hours });
  expect(read("40", "2.5").request).toEqual({ from: "CHECKPOINT", epochs: 40, maxDuration: "PT2H30M" });
  expect(read(" 1e2 ", "0.25").request).toMatchObject({ epochs: 100, maxDuration: "PT15M" });
  expect(read("2.5", "0").problems).toEqual({
    epochs: 'Found "2.5", expected 1 to 100000.',
    hours: 'Found "0", expected more than 0 hours.',
  });
  expect(read("", "1").request).toBeNull();
});

test("a run goes on from the checkpoint that is furthest", () => {
  const at = (id: string, epoch: number | null, step: number | null) => ({ id, epoch, step });
  expect(lastOf([at("a", 3, 30), at("b", 12, 120), at("c", 12, 115), at("d", null, null)])).toBe("b");
  expect(lastOf([])).toBeUndefined();
});

test("the time limit of a spec is shown in hours", () => {
  expect(hoursOf("PT2H")).toBe(2);
  expect(hoursOf("P1DT2H30M")).toBe(26.5);
  expect(hoursOf("two hours")).toBeNull();
});

test("what differs between two specs is told by place; their names and tags do not count", () => {
  const before = { name: "a", train: { epochs: 20, lr: 0.1 }, model: { type: "gcn" }, split: { type: "random" } };
  const after = { name: "b", train: { epochs: 40, lr: 0.1 }, model: { type: "gcn", options: { numLayers: 3 } } };
  expect(specDifferences(before, after)).toEqual([
    { path: "train.epochs", before: 20, after: 40 },
    { path: "model.options.numLayers", before: undefined, after: 3 },
    { path: "split.type", before: "random", after: undefined },
  ]);
  expect(specDifferences({ fanouts: [5, 5] }, { fanouts: [5, 10] })).toHaveLength(1);
  expect(specDifferences(before, { ...before, tags: { team: "x" } })).toEqual([]);
  expect([valueText(null), valueText([5, 10]), valueText(0.5)]).toEqual(["–", "[5,10]", "0.5"]);
});
