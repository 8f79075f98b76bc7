// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ConfusionMatrix } from "../../src/components/ConfusionMatrix/ConfusionMatrix.tsx";
import { confusionOf } from "../../src/services/confusion.ts";

afterEach(cleanup);

const confusion = {
  split: "test",
  classes: ["cat", "dog"],
  counts: [
    [7, 2],
    [1, 1234],
  ],
};

test("each row counts the nodes of one label by what was predicted", () => {
  render(
    <MantineProvider env="test">
      <ConfusionMatrix confusion={confusionOf({ confusion })!} />
    </MantineProvider>,
  );
  const rows = screen.getAllByRole("row").map((row) =>
    within(row)
      .queryAllByRole("cell")
      .map((cell) => cell.textContent),
  );
  expect(rows.slice(1)).toEqual([
    ["7", "2"],
    ["1", "1,234"],
  ]);
});

test("a model without a matrix, or with too many classes for a page, shows none", () => {
  const many = Array.from({ length: 31 }, (_, i) => `${i}`);
  expect(confusionOf({ confusion: null })).toBeNull();
  expect(confusionOf({ metrics: {} })).toBeNull();
  expect(confusionOf({ confusion: { classes: many, counts: many.map(() => many.map(() => 0)) } })).toBeNull();
});
