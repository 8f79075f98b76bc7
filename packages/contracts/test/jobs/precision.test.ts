import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { resolveJobSpec } from "../../src/index.ts";

const registry = await loadRegistry([]);

function resolved(precision: string | undefined, device: string) {
  const input = { version: 1, kind: "train", dataset: "ds_1", task: { target: "label" } };
  return resolveJobSpec({ ...input, train: { precision }, resources: { device } }, registry);
}

test("products are computed in fp32 unless a job asks for less, on whatever device", () => {
  for (const device of ["auto", "cpu", "cuda"]) expect(resolved(undefined, device).train.precision).toBe("fp32");
});

test.each(["tf32", "bf16"])("%s is for jobs that ask for a GPU, and refused for others", (precision) => {
  expect(resolved(precision, "cuda").train.precision).toBe(precision);
  for (const device of ["auto", "cpu"]) {
    const message = `/train/precision: ${precision} is for GPUs, and resources.device is ${device}`;
    expect(() => resolved(precision, device)).toThrow(message);
  }
});
