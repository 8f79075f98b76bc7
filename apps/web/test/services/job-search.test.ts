import { expect, test } from "vitest";
import { filterOf, nextSort, readJobSearch, sortOf } from "../../src/services/job-search.ts";

test("an address that says nothing asks for training jobs of any state", () => {
  expect(readJobSearch({})).toEqual({});
  expect(filterOf({})).toEqual({ kinds: ["train", "infer"] });
});

test("what an address says is what the list asks the API for", () => {
  const search = readJobSearch({ kinds: "all", state: "active", search: " sage " });
  expect(search).toEqual({ kinds: "all", state: "active", search: " sage " });
  expect(filterOf(search)).toEqual({ states: ["QUEUED", "RUNNING", "CANCELLING"], search: "sage" });
  // The router reads digits as a number.
  expect(filterOf(readJobSearch({ worker: "w1", kinds: "all" }))).toEqual({ worker: "w1" });
  expect(filterOf(readJobSearch({ search: 2026 }))).toEqual({ kinds: ["train", "infer"], search: "2026" });
});

test("what an address cannot mean, or what narrows nothing, is left out of it", () => {
  expect(readJobSearch({ kinds: "train", state: "any", search: "" })).toEqual({});
  expect(readJobSearch({ kinds: 1, state: "SUCCEEDED", search: ["a"], page: 2 })).toEqual({});
});

test("how the list is sorted stands in the address, and a press on a head turns it round", () => {
  expect(sortOf()).toEqual({ by: "SUBMITTED", descending: true });
  expect(sortOf("-result")).toEqual({ by: "RESULT", descending: true });
  expect(readJobSearch({ sort: "-result", starred: true })).toEqual({ sort: "-result", starred: true });
  expect(readJobSearch({ sort: "-submitted", starred: "no" })).toEqual({});
  expect(readJobSearch({ sort: "secret" })).toEqual({});
  expect(filterOf({ starred: true })).toEqual({ kinds: ["train", "infer"], starred: true });
  expect([nextSort(undefined, "RESULT"), nextSort("-result", "RESULT")]).toEqual(["-result", "result"]);
  expect([nextSort(undefined, "NAME"), nextSort("name", "NAME"), nextSort("-name", "NAME")]).toEqual([
    "name",
    "-name",
    "name",
  ]);
  expect(nextSort(undefined, "SUBMITTED")).toBe("submitted");
});
