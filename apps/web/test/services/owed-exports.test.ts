import { expect, test } from "vitest";
import { isOwed } from "../../src/services/owed-exports.ts";

const spec = { outputs: { embeddings: { formats: ["parquet", "csv"] }, predictions: { formats: ["parquet"] } } };

test("a job that goes on makes the formats that it was asked for by itself", () => {
  expect(isOwed({ state: "RUNNING", spec }, "EMBEDDINGS", "csv")).toBe(true);
  expect(isOwed({ state: "RUNNING", spec }, "PREDICTIONS", "csv")).toBe(false);
  expect(isOwed({ state: "RUNNING", spec: null }, "EMBEDDINGS", "parquet")).toBe(false);
});

test("a job that has ended makes nothing more", () => {
  for (const state of ["SUCCEEDED", "FAILED", "CANCELLED"]) {
    expect(isOwed({ state, spec }, "EMBEDDINGS", "parquet")).toBe(false);
  }
});
