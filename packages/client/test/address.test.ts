import { expect, test } from "vitest";
import { addressOf } from "../src/address.ts";

test("parameters are escaped, so that none can become another path", () => {
  expect(addressOf("/v1/jobs/:id/events", { params: { id: "a/../b?c" } })).toBe("/v1/jobs/a%2F..%2Fb%3Fc/events");
});

test("the query holds what is given, and nothing of what is not", () => {
  const query = { first: 3, after: undefined, search: "a&b=c" };
  expect(addressOf("/v1/jobs", { query })).toBe("/v1/jobs?first=3&search=a%26b%3Dc");
  expect(addressOf("/v1/jobs", { query: { after: undefined } })).toBe("/v1/jobs");
});

test("a call without its parameter is refused, for it would be another call", () => {
  expect(() => addressOf("/v1/jobs/:id", {})).toThrow('"id"');
  expect(() => addressOf("/v1/jobs/:id", { params: { id: "" } })).toThrow('"id"');
});
