import { expect, test } from "vitest";
import { type SavedView, storedViews, storeViews, withView } from "../../src/services/saved-views.ts";

function shelf(text: string | null = null) {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_key: string, value: string) => {
      kept = value;
    },
  };
}

const failed: SavedView = { name: "failed", search: { state: "failed", sort: "name" }, columns: ["model", "took"] };

test("a view comes back as it was saved", () => {
  const kept = shelf();
  storeViews(kept, [failed]);
  expect(storedViews(kept)).toEqual([failed]);
});

test("a view takes the place of the one of its name, and all are sorted by name", () => {
  const other: SavedView = { name: "all", search: {}, columns: [] };
  const changed: SavedView = { ...failed, columns: ["owner"] };
  expect(withView(withView([failed], other), changed)).toEqual([other, changed]);
});

test("what a browser kept of another version is left out, not shown half", () => {
  const stored = [
    { name: "old", search: { state: "unheard of", search: 7, kinds: "all" }, columns: ["model", "gone"] },
    { name: "", search: {}, columns: [] },
    "text",
    null,
  ];
  expect(storedViews(shelf(JSON.stringify(stored)))).toEqual([
    { name: "old", search: { kinds: "all", search: "7" }, columns: ["model"] },
  ]);
  expect(storedViews(shelf("{"))).toEqual([]);
  expect(storedViews(null)).toEqual([]);
});
