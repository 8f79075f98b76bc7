import { activeCuda } from "../../../src/backends/active-cuda.ts";
import { type EstimateLine, estimateWithComponents } from "../../../src/estimate/index.ts";
import { loadRegistry } from "../../../src/spec/index.ts";
import { communityData } from "../../train/support/community-data.ts";
import { optionsOf, trainRanks } from "../../train/support/train-ranks.ts";

export type Measured = Omit<Parameters<typeof optionsOf>[0], "task"> & { readonly task?: object };

/**
 * Trains on the device and estimates that training.
 *
 * @returns the most bytes that were taken of the device at a time, and what the estimate counts, without the driver's
 */
export async function measuredMemory(numNodes: number, given: Measured) {
  const data = await communityData({ numNodes, numClasses: 3, dim: 24, numTrain: numNodes / 2, degree: 5 });
  const fanouts = { type: "neighbor", options: { fanouts: [5, 5, 5] } };
  const train = { epochs: 1, batchSize: 120, ...given.train };
  const options = optionsOf({ sampling: fanouts, ...given, train });
  const peak = await mostTaken(() => trainRanks(data, options, 1));
  const graph = {
    numNodes,
    numEdges: data.graph.numEdges,
    features: { kind: "dense" as const, dim: data.features.dim },
    classes: ["a", "b", "c"],
    labelCounts: [{ count: numNodes }],
    splits: { train: numNodes / 2, val: numNodes / 4, test: numNodes / 4, none: 0 },
  };
  const device = { memoryBytes: 80e9, hostBytes: 80e9 };
  const spec = { partition: { type: "range", options: {} }, ...options };
  const { explanation } = estimateWithComponents(graph, spec, await loadRegistry(), {
    ranks: 1,
    threadsPerRank: 1,
    device,
  });
  const lines = explanation.filter(({ of, what }) => of === "deviceMemory" && !what.includes("driver"));
  return { peak, lines };
}

export function bytesOf(lines: readonly EstimateLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** Looks at the device's memory whenever a tensor is made there. */
async function mostTaken(run: () => Promise<unknown>): Promise<number> {
  const { addon } = activeCuda()!;
  const makeFloats = addon.makeFloats.bind(addon);
  const before = addon.deviceCounters().takenBytes;
  let most = 0;
  const noting: typeof makeFloats = (count) => {
    const made = makeFloats(count);
    most = Math.max(most, addon.deviceCounters().takenBytes - before);
    return made;
  };
  Object.assign(addon, { makeFloats: noting });
  try {
    await run();
  } finally {
    Object.assign(addon, { makeFloats });
  }
  return most;
}
