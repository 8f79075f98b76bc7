import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The conformance suites that a file runs on the device */
function suitesOf(file: string): string[] {
  const text = readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), "utf8");
  return [...text.matchAll(/^\s*(\w+Suite)\("cuda"/gm)].map(([, name]) => name as string).toSorted();
}

test("script/gpu-check runs every suite on a GPU that the tests run on the emulated device", () => {
  const tested = suitesOf("packages/gnn-core/test/conformance/backend-cuda.integration.test.ts");
  expect(tested.length).toBeGreaterThan(5);
  expect(suitesOf("benchmarks/gpu/programs/conformance.ts")).toEqual(tested);
});
