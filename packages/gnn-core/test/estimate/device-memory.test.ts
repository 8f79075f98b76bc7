import { describe, expect, it } from "vitest";
import { placeFeatures } from "../../src/estimate/feature-placement.ts";
import { type EstimateInput, estimateJob } from "../../src/estimate/index.ts";

const input: EstimateInput = {
  graph: {
    numNodes: 1_000_000,
    numEdges: 20_000_000,
    features: { kind: "dense", dim: 100 },
    numClasses: 10,
    numTrainNodes: 100_000,
  },
  numParameters: 100_000,
  hiddenFeats: 128,
  numHops: 2,
  rowsPerSeed: 100,
  partitionBytes: 1e9,
  epochs: 10,
  batchSize: 1024,
  ranks: 1,
  threadsPerRank: 2,
  evaluateEveryEpochs: 1,
  keptCheckpoints: 1,
};
const device = { memoryBytes: 80e9, hostBytes: 100e9 };

describe("what a rank needs of its device's memory", () => {
  it("is nothing on a CPU", () => {
    expect(estimateJob(input).deviceBytesPerRank).toBe(0);
    expect(estimateJob(input).explanation.some(({ of }) => of === "deviceMemory")).toBe(false);
  });

  it("is the sum of its lines, term by term of the counts", () => {
    const { deviceBytesPerRank, explanation } = estimateJob({ ...input, device });
    const amounts = explanation.filter(({ of }) => of === "deviceMemory").map(({ amount }) => amount);
    const rows = 1024 * 100; // of the input layer, and as many edges over all blocks
    expect(amounts).toEqual([
      600e6,
      100_000 * 4 * 5,
      rows * 100 * 4 * 2,
      (rows * 8 + rows * 20 * 2) * 2,
      rows * 128 * 4 * 2 * 2,
      1_000_000 * 100 * 4,
    ]);
    expect(deviceBytesPerRank).toBe(amounts.reduce((sum, amount) => sum + amount, 0));
  });

  it("shrinks with the ranks that share a batch, and counts learned rows as input columns", () => {
    const bytesOf = (change: Partial<EstimateInput>) => estimateJob({ ...input, device, ...change }).deviceBytesPerRank;
    expect(bytesOf({ ranks: 2 })).toBeLessThan(bytesOf({}));
    const learnedRows = { dim: 60, stateBytesPerRow: 480 };
    expect(bytesOf({ learnedRows }) - bytesOf({})).toBe(1024 * 100 * 60 * 4 * 2);
  });
});

describe("placeFeatures", () => {
  const room = { numRows: 1000, rowBytes: 400, deviceBytes: 0, hostBytes: 0 };
  const every = ["device", "cached", "pinned", "host"] as const;

  it("takes the fastest place with room of those that are supported, and the host's mapping where none is", () => {
    expect(placeFeatures({ ...room, deviceBytes: 400_000 }, every)).toEqual({ placement: "device", deviceRows: 1000 });
    const half = { ...room, deviceBytes: 200_100, hostBytes: 400_000 };
    expect(placeFeatures(half, every)).toEqual({ placement: "cached", deviceRows: 500 });
    expect(placeFeatures(half, ["device", "pinned", "host"])).toEqual({ placement: "pinned", deviceRows: 0 });
    expect(placeFeatures({ ...half, hostBytes: 399_999 }, every)).toEqual({ placement: "host", deviceRows: 0 });
    expect(placeFeatures({ ...half, deviceBytes: 3999 }, every)).toEqual({ placement: "pinned", deviceRows: 0 });
    expect(placeFeatures({ ...half, deviceBytes: -1 }, ["cached", "host"])).toEqual({
      placement: "host",
      deviceRows: 0,
    });
  });

  it("counts what this version's backend does: all rows on the device, whether there is room or not", () => {
    expect(placeFeatures({ ...room, hostBytes: 1e9 })).toEqual({ placement: "device", deviceRows: 1000 });
    const stays = (change: Partial<EstimateInput>) =>
      estimateJob({ ...input, device, ...change }).explanation.find(({ what }) =>
        what.startsWith("features that stay"),
      );
    expect(stays({ ranks: 4, isPartitioned: true })?.amount).toBe(250_000 * 100 * 4);
    expect(stays({ featureDtype: "fp16" })).toBeUndefined();
  });
});
