import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { CudaAddon } from "../../src/backends/cuda/addon.ts";
import { loadCudaAddon } from "../../src/backends/cuda/load-addon.ts";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { declaredSignatures, withArrayTypes } from "../support/addon-declarations.ts";
import { buildEmulated } from "../support/cuda-emulated.ts";

const shared = ["appnp", "dense", "gin", "head", "loss", "message", "norm", "relation", "sparse"].map(
  (area) => `native/${area}`,
);
const declarations = [
  ...shared,
  "cuda/memory",
  "cuda/peers",
  "cuda/rows",
  "cuda/sampling",
  "cuda/shares",
  "cuda/step",
  "cuda/stock",
  "cuda/whole-graph",
]
  .map((name) => withArrayTypes(readFileSync(new URL(`../../src/backends/${name}-addon.ts`, import.meta.url), "utf8")))
  .join("\n");

let addon: CudaAddon;
beforeAll(() => {
  buildEmulated();
  // The processor's, too, is in this process, as it is where a rank computes: neither may see the other's functions.
  loadAddon();
  addon = loadCudaAddon("emulated");
}, 600_000);

test("the addon of a device exports the functions that are declared, with their parameters in name, order and type", () => {
  expect([...addon.signatures].toSorted()).toEqual(declaredSignatures(declarations).toSorted());
});

test("its kernels are declared as those of the processor are", () => {
  const native = new Set(loadAddon().signatures);
  const kernels = addon.signatures.filter(
    (each) =>
      !/Handle\b|Host(Floats|Ints)\b|^\w+\(\)|^make(Floats|Graph|Share|WholeGraph)|^isJoinedByNvlink|^setPrecision|^joinPeers|Emulated/.test(
        each,
      ),
  );
  expect(kernels.length).toBeGreaterThan(30);
  expect(kernels.filter((each) => !native.has(each))).toEqual([]);
});

describe("calls are held to the memory and to what it was found to hold:", () => {
  const loose = () => addon as unknown as Record<string, (...args: unknown[]) => unknown>;
  const floats = (count: number) => addon.uploadFloats(new Float32Array(count));
  const ints = (...values: number[]) => addon.uploadInts(Int32Array.from(values));

  test.each([
    [
      "an array of the host",
      () => loose()["gatherRows"]!(1, 1, new Float32Array(1), ints(0), floats(1)),
      /x is not an array of floats/,
    ],
    ["another length", () => addon.gatherRows(2, 1, floats(1), ints(0), floats(1)), /x has 1 elements; expected 2/],
    [
      "a row outside",
      () => addon.gatherRows(2, 1, floats(2), ints(0, 2), floats(2)),
      /rows holds 2; expected ids in \[0, 2\)/,
    ],
    ["a negative row", () => addon.gatherRows(2, 1, floats(2), ints(0, -1), floats(2)), /rows holds -1/],
    ["a label without class", () => addon.crossEntropySum(1, 2, floats(2), ints(2), null, floats(1)), /labels holds 2/],
    [
      "edges from nowhere",
      () => addon.makeBlock(2, 1, Int32Array.of(0, 1), Int32Array.of(2)),
      /holds 2; expected ids in \[0, 2\)/,
    ],
    ["offsets that fall", () => addon.makeBlock(2, 2, Int32Array.of(0, 2, 1), Int32Array.of(0)), /ascending/],
    ["a part outside", () => addon.partOf(floats(2), 1, 3), /does not lie within/],
  ])("%s is refused", (_title, call, message) => {
    expect(call).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(message) }));
  });

  test("an array that was given back is refused", () => {
    const array = floats(3);
    addon.giveBack(array);
    addon.giveBack(array);
    expect(() => addon.fill(1, array)).toThrow(/was given back/);
  });

  test("a part of an array is the same memory", () => {
    const whole = floats(4);
    addon.fill(7, addon.partOf(whole, 1, 3));
    const values = new Float32Array(4);
    addon.download(whole, values);
    expect([...values]).toEqual([0, 7, 7, 0]);
  });
});
