// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { columnsOf } from "../../src/components/RelationFigures/RelationFigures.tsx";
import type { Judged } from "../../src/services/metrics.ts";

const task: Judged = {
  chiefMetric: "auc",
  metrics: [
    { name: "auc", title: "ROC-AUC", shownAs: "percent" },
    { name: "mrr", title: "MRR", shownAs: "figure" },
  ],
};
const metrics = { "val/mrr": 0.5, "val/auc": 0.75, "test/mrr": 0.25, "test/auc": 0.875 };
const row = { relations: ["about", "rev_about"], numLinks: { val: 3, test: 1200 }, metrics };

const shown = (shownRow: typeof row) => columnsOf([shownRow], task).map(({ head, cell }) => [head, cell(shownRow, 0)]);

test("a relation is shown with its test links and the task's figures of these, in the task's order", () => {
  expect(shown(row)).toEqual([
    ["Relations", "about, rev_about"],
    ["Test links", "1,200"],
    ["ROC-AUC", "87.5 %"],
    ["MRR", "0.25"],
  ]);
});

test("where no links are kept for the test, those of validation stand in their place", () => {
  const untested = { ...row, numLinks: { val: 3, test: 0 } };
  expect(shown(untested).slice(1)).toEqual([
    ["Validation links", "3"],
    ["ROC-AUC", "75.0 %"],
    ["MRR", "0.5"],
  ]);
});
