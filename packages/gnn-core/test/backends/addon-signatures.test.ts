import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { declaredSignatures, withArrayTypes } from "../support/addon-declarations.ts";

const addon = loadAddon();
const folder = new URL("../../src/backends/native/", import.meta.url);
const declarations = readdirSync(folder)
  .filter((name) => name.endsWith("-addon.ts"))
  .map((name) => withArrayTypes(readFileSync(new URL(name, folder), "utf8")))
  .join("\n");

/** What the addon says of itself and the declarations do not, and the other way round. */
function differences(text: string): { native: string[]; declared: string[] } {
  const [native, declared] = [new Set(addon.signatures), new Set(declaredSignatures(text))];
  return {
    native: [...native].filter((each) => !declared.has(each)),
    declared: [...declared].filter((each) => !native.has(each)),
  };
}

test("the addon exports the functions that are declared, with their parameters in name, order and type", () => {
  expect(differences(declarations)).toEqual({ native: [], declared: [] });
  const functions = Object.entries(addon).filter(([, value]) => typeof value === "function");
  expect(addon.signatures.map((each) => each.slice(0, each.indexOf("("))).toSorted()).toEqual(
    functions.map(([name]) => name).toSorted(),
  );
});

describe("a declaration that drifts is found:", () => {
  const spmm = "spmmMeanGrad(block: ReversibleBlock, dim: number, dy: Float32Array, dx: Float32Array)";

  test.each([
    ["a missing function", []],
    ["an argument too many", [spmm.replace("dx:", "more: number, dx:")]],
    ["an argument too few", [spmm.replace("dim: number, ", "")]],
    ["another type", [spmm.replace("ReversibleBlock", "NativeBlock")]],
    ["null where there was none", [spmm.replace("dy: Float32Array", "dy: Float32Array | null")]],
    ["an argument that may be left out", [spmm.replace("dx:", "dx?:")]],
    ["another order", [spmm.replace("dim: number, dy: Float32Array", "dy: Float32Array, dim: number")]],
    ["another name", [spmm.replace("dy:", "gradient:")]],
  ])("%s", (_title, planted) => {
    expect(declarations).toContain(`${spmm}: void;`);
    const drifted = declarations.replace(`${spmm}: void;`, planted.map((each) => `${each}: void;`).join("\n"));
    expect(differences(drifted)).toEqual({ native: [spmm], declared: planted });
  });

  test("a function that the addon lacks", () => {
    const drifted = declarations.replace(`${spmm}: void;`, `$& spmmMedian(x: Float32Array): void;`);
    expect(differences(drifted)).toEqual({ native: [], declared: ["spmmMedian(x: Float32Array)"] });
  });

  test("a shared list of arguments", () => {
    const drifted = declarations.replace("slope: number,", "slope: boolean,");
    const names = ({ native, declared }: { native: string[]; declared: string[] }) =>
      [native, declared].map((each) => each.map((signature) => signature.slice(0, signature.indexOf("("))));
    expect(names(differences(drifted))).toEqual([
      ["gatConv", "gatConvGrad"],
      ["gatConv", "gatConvGrad"],
    ]);
  });
});

describe("calls are held to what is declared:", () => {
  const loose = addon as unknown as Record<string, (...args: unknown[]) => unknown>;
  const floats = new Float32Array(1);

  test.each([
    [
      "an argument missing",
      "sgemm",
      [false, false, 1, 1, 1, floats, floats],
      /sgemm got 7 arguments; expected sgemm\(/,
    ],
    ["an argument too many", "isa", [1], /isa got 1 arguments; expected isa\(\)/],
    ["another type for a kernel", "linear", ["1", 1, 1, floats, floats, floats, true, floats], /rows is not a number/],
    ["another type", "gatherDense", [{}, Int32Array.of(0)], /gatherDense: features is not a FeaturesHandle/],
    ["another array", "putRows", [floats, 1, Uint32Array.of(0), floats], /putRows: rows is not a Int32Array/],
    ["null", "mapFile", [null], /mapFile: path is not a string/],
  ])("%s is refused", (_title, name, args, message) => {
    expect(() => loose[name]!(...args)).toThrow(
      expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(message) }),
    );
  });

  test("an optional argument may be left out", () => {
    addon.setThreads(1);
    expect(addon.threads()).toBe(1);
  });
});
