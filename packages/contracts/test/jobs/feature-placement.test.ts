import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { resolveInferSpec, resolveJobSpec } from "../../src/index.ts";

const registry = await loadRegistry([]);

const resolved = (resources: object) =>
  resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", task: { target: "label" }, resources }, registry);
const applied = (resources: object) =>
  resolveInferSpec({ version: 1, kind: "infer", dataset: "ds_1", model: "papers@1", resources }, registry);

test.each([
  ["training", resolved],
  ["applying a model", applied],
] as const)("%s may say where the features lie for GPUs, and for nothing else", (_what, resolve) => {
  expect(resolve({}).resources.features).toBe("auto");
  expect(resolve({ device: "cuda", features: "pinned" }).resources.features).toBe("pinned");
  for (const device of ["auto", "cpu"]) {
    const message = `/resources/features: cached is for GPUs, and resources.device is ${device}`;
    expect(() => resolve({ device, features: "cached" })).toThrow(message);
  }
});

test("features are sharded by several ranks, and by no rank alone", () => {
  expect(resolved({ device: "cuda", ranks: 2, features: "sharded" }).resources.features).toBe("sharded");
  expect(() => resolved({ device: "cuda", features: "sharded" })).toThrow(
    "/resources/features: sharded is for several ranks on a host, and resources.ranks is 1",
  );
});

test("features of a graph in parts are placed nowhere but with their ranks", () => {
  const parts = { device: "cuda", graph: "partitioned", ranks: 2 };
  expect(resolved({ ...parts, features: "host" }).resources.features).toBe("host");
  expect(() => resolved({ ...parts, features: "device" })).toThrow(/\/resources\/features: ranks that hold a part/);
});
