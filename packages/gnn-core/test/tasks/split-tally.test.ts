import { expect, test } from "vitest";
import { SplitTally } from "../../src/tasks/split-tally.ts";

// Largest logits: 0, 1, 1, 0, 2; the last node is not included.
const logits = Float32Array.of(9, 0, 0, 0, 9, 0, 0, 9, 0, 9, 0, 0, 0, 0, 9);
const labels = Int32Array.of(0, 0, 1, 2, 2);
const weights = Float32Array.of(1, 1, 1);

function tallyOf(isIncluded: (row: number) => boolean): SplitTally {
  const tally = new SplitTally(weights, labels);
  for (const node of labels.keys()) if (isIncluded(node)) tally.addRow(logits, node, node);
  return tally;
}

test("the confusion matrix counts labels by row and predictions by column", () => {
  const tally = tallyOf((row) => row < 4);
  expect(tally.confusion).toEqual([
    [1, 1, 0],
    [0, 1, 0],
    [1, 0, 0],
  ]);
  expect(tally.metrics).toMatchObject({ accuracy: 2 / 4, microF1: 2 / 4 });
  expect(tally.metrics["macroF1"]).toBeCloseTo((2 / 4 + 2 / 3 + 0) / 3, 12);
});

test("tallies of parts add up to the tally of the whole", () => {
  const whole = tallyOf(() => true);
  const even = tallyOf((row) => row % 2 === 0);
  const odd = tallyOf((row) => row % 2 === 1);
  const sum = even.flat().map((value, i) => value + odd.flat()[i]!);
  even.assign(sum);
  expect(even.confusion).toEqual(whole.confusion);
  expect(even.metrics).toMatchObject({ ...whole.metrics, loss: expect.closeTo(whole.metrics["loss"]!, 5) });
});

test("more than a hundred classes have F1 and no matrix", () => {
  const numClasses = 101;
  const tally = new SplitTally(new Float32Array(numClasses).fill(1), Int32Array.of(100));
  const row = new Float32Array(numClasses);
  row[100] = 1;
  tally.addRow(row, 0, 0);
  expect(tally.confusion).toBeNull();
  expect(tally.metrics).toMatchObject({ accuracy: 1, macroF1: 1 });
});
