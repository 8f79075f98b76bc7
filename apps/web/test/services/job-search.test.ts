import { expect, test } from "vitest";
import { filterOf, readJobSearch } from "../../src/services/job-search.ts";

test("an address that says nothing asks for training jobs of any state", () => {
  expect(readJobSearch({})).toEqual({});
  expect(filterOf({})).toEqual({ kinds: ["train"] });
});

test("what an address says is what the list asks the API for", () => {
  const search = readJobSearch({ kinds: "all", state: "active", search: " sage " });
  expect(search).toEqual({ kinds: "all", state: "active", search: " sage " });
  expect(filterOf(search)).toEqual({ states: ["QUEUED", "RUNNING", "CANCELLING"], search: "sage" });
  // The router reads digits as a number.
  expect(filterOf(readJobSearch({ search: 2026 }))).toEqual({ kinds: ["train"], search: "2026" });
});

test("what an address cannot mean, or what narrows nothing, is left out of it", () => {
  expect(readJobSearch({ kinds: "train", state: "any", search: "" })).toEqual({});
  expect(readJobSearch({ kinds: 1, state: "SUCCEEDED", search: ["a"], page: 2 })).toEqual({});
});
