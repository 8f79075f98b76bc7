import { expect, test } from "vitest";
import { storedJobColumns, storeJobColumns } from "../../src/services/job-columns.ts";

function shelf() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  };
}

test("columns that were chosen are kept, in the order of the list; at first most are shown", () => {
  const here = shelf();
  expect(storedJobColumns(here)).toContain("model");
  expect(storedJobColumns(here)).not.toContain("owner");
  storeJobColumns(here, ["took", "owner"]);
  expect(storedJobColumns(here)).toEqual(["owner", "took"]);
  storeJobColumns(here, []);
  expect(storedJobColumns(here), "none of them is a choice too").toEqual([]);
});

test("a browser that keeps nothing shows the columns of the beginning", () => {
  expect(storedJobColumns(null)).toEqual(storedJobColumns(shelf()));
});

test("a column of another release is left out", () => {
  const here = shelf();
  here.setItem("hopwise-job-columns", "model color");
  expect(storedJobColumns(here)).toEqual(["model"]);
});
