import { beforeEach, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { bytesOf, measuredMemory } from "./support/measured-memory.ts";

useEmulatedDevice();
beforeEach(() => selectBackend("cuda", emulated));

test("a training that remembers rows takes what the estimate counts, and more than that without these rows", async () => {
  const model = { type: "sage", options: { hiddenFeats: 32, numLayers: 3 } };
  const sampling = { type: "controlVariate", options: { numNeighbors: 1 } };
  const { peak, lines } = await measuredMemory(240, { model, sampling });
  const remembered = lines.filter(({ what }) => what.includes("remembered"));
  expect(remembered[0]?.amount).toBe(240 * 32 * 4 * 2);
  expect(peak).toBeLessThanOrEqual(bytesOf(lines));
  expect(peak).toBeGreaterThan(bytesOf(lines) - bytesOf(remembered));
});
