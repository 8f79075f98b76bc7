// @vitest-environment happy-dom
import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { ConfusionMatrix } from "../../src/components/ConfusionMatrix/ConfusionMatrix.tsx";
import { confusionOf, frequentMistakes } from "../../src/services/confusion.ts";

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
  expect(screen.getByTitle("cat, taken for dog: 2 (22.2 %)").style.getPropertyValue("--share")).toBe(String(2 / 9));
  const listed = within(screen.getByRole("list", { name: "Most frequent mistakes" })).getAllByRole("listitem");
  expect(listed.map((item) => item.textContent)).toEqual([
    "cat taken for dog: 2 (22.2 % of cat)",
    "dog taken for cat: 1 (0.1 % of dog)",
  ]);
});

test("47 classes keep every cell, each with its count for who asks", () => {
  const names = Array.from({ length: 47 }, (_, i) => `class ${i}`);
  const counts = names.map((_, i) => names.map((__, j) => (i === j ? 100 : (i * 47 + j) % 3)));
  const { container } = render(
    <MantineProvider env="test">
      <ConfusionMatrix confusion={{ classes: names, counts }} />
    </MantineProvider>,
  );
  expect(container.querySelector('[data-dense="true"]')).not.toBeNull();
  expect(container.querySelectorAll("tbody td")).toHaveLength(47 * 47);
  expect(screen.getByTitle(/^class 3, taken for class 5: 2 /).textContent).toBe("2");
});

test("the most frequent mistakes are those with the most nodes, and what is right is none", () => {
  const counts = [
    [50, 3, 0],
    [9, 40, 1],
    [0, 0, 0],
  ];
  expect(frequentMistakes({ classes: ["a", "b", "c"], counts }, 2)).toEqual([
    { label: "b", predicted: "a", count: 9, share: 0.18 },
    { label: "a", predicted: "b", count: 3, share: 3 / 53 },
  ]);
});

test("a model without a matrix, or with too many classes for a page, shows none", () => {
  const many = Array.from({ length: 101 }, (_, i) => `${i}`);
  expect(confusionOf({ confusion: null })).toBeNull();
  expect(confusionOf({ metrics: {} })).toBeNull();
  expect(confusionOf({ confusion: { classes: many, counts: many.map(() => many.map(() => 0)) } })).toBeNull();
});
