import { describe, expect, it } from "vitest";
import { type EstimateInput, estimateJob } from "../../src/estimate/index.ts";
import { placeFeatures } from "../../src/host/feature-placement.ts";

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
      650e6,
      100_000 * 4 * 5,
      rows * 100 * 4 * 2,
      (rows * 8 + rows * 20 * 2) * 2,
      rows * 128 * 4 * 2 * 2,
      1_000_000 * 100 * 4,
    ]);
    expect(deviceBytesPerRank).toBe(amounts.reduce((sum, amount) => sum + amount, 0));
  });

  it("counts the scores of links with many nodes: of all nodes a block at a time, of shared ones all, four times", () => {
    const links = { numTrain: 100_000, numHeldOut: 0, pairsPerLink: 1, numFiltered: 0, linksPerStep: 1024, dim: 64 };
    const lists = { numRanked: 0, numListed: 0, isTyped: false, isTimed: false, mostListed: 0 };
    const bytesOf = (change: { sharedPerLink: number; seedsAll: boolean }, ranks = 1) => {
      const job = { ...input, device, ranks, links: { ...links, ...lists, ...change } };
      return estimateJob(job).explanation.find(({ of, what }) => of === "deviceMemory" && what.includes("scores"))
        ?.amount;
    };
    const rows = (numLinks: number, numOthers: number) => 4 * 3 * 64 * (2 * numLinks + numOthers);
    expect(bytesOf({ sharedPerLink: 0, seedsAll: false })).toBeUndefined();
    expect(bytesOf({ sharedPerLink: 512, seedsAll: false })).toBe(4 * 4 * 1024 * 512 + rows(1024, 512));
    expect(bytesOf({ sharedPerLink: 512, seedsAll: false }, 2)).toBe(4 * 4 * 512 * 512 + rows(512, 512));
    // 128 MiB are 33 rows of a million scores.
    expect(bytesOf({ sharedPerLink: 0, seedsAll: true })).toBe(4 * 2 ** 25 + rows(1024, 1_000_000));
  });

  it("shrinks with the ranks that share a batch", () => {
    const bytesOf = (change: Partial<EstimateInput>) => estimateJob({ ...input, device, ...change }).deviceBytesPerRank;
    expect(bytesOf({ ranks: 2 })).toBeLessThan(bytesOf({}));
  });

  it("counts a sum and a product of each row and relation, but of no more than there are edges", () => {
    const small = { ...input, device, graph: { ...input.graph, numNodes: 1000 } };
    const bytesOf = (numRelations: number) => estimateJob({ ...small, numRelations }).deviceBytesPerRank;
    const bytesEach = (100 + 128) * 4;
    expect(bytesOf(3) - bytesOf(0)).toBe(3 * 1000 * bytesEach);
    expect(bytesOf(200) - bytesOf(0)).toBe(1024 * 100 * bytesEach);
  });

  it("counts learned rows as input columns and, where they fit, each rank's share with its state", () => {
    const learnedRows = { dim: 60, stateBytesPerRow: 484 };
    const estimated = (change: Partial<EstimateInput>) => estimateJob({ ...input, device, ...change });
    const bytesOf = (change: Partial<EstimateInput>) => estimated(change).deviceBytesPerRank;
    // Input rows of two batches, and what is on the tape beside the features
    const ofStep = (rows: number) => rows * 60 * 4 * 2 + rows * (160 + 60) * 4 * 2;
    const ofAll = 1_000_000 * (60 * 4 + 484);
    expect(bytesOf({ learnedRows }) - bytesOf({})).toBe(ofStep(1024 * 100) + ofAll);
    expect(estimated({ learnedRows }).learnedPlacement).toBe("device");
    // What two ranks read of 512 · 100 rows each, and its gradient
    const exchanged = 2 * 2 * 512 * 100 * 60 * 4;
    const ofTwo = ofStep(512 * 100) + ofAll / 2 + exchanged;
    expect(bytesOf({ learnedRows, ranks: 2 }) - bytesOf({ ranks: 2 })).toBe(ofTwo);
    expect(estimated({ learnedRows, ranks: 2 }).learnedPlacement).toBe("device");
    const small = { device: { ...device, memoryBytes: 1.5e9 }, learnedRows };
    expect(estimated(small).learnedPlacement).toBe("host");
    expect(estimated({}).learnedPlacement).toBeNull();
    expect(estimateJob({ ...input, learnedRows }).learnedPlacement).toBeNull();
  });
});

describe("a graph that a device could sample", () => {
  const deviceSampling = { isWeighted: false };
  const rows = 1024 * 100;
  const ofGraph = 1_000_001 * 8 + 20_000_000 * 4;
  const ofSampling = 3 * (rows * 4 + rows * 8) + 2 * rows * 64;
  const estimated = (change: Partial<EstimateInput>) => estimateJob({ ...input, device, deviceSampling, ...change });

  it("lies there beside all features, with what its blocks and their tables take", () => {
    const without = estimateJob({ ...input, device });
    expect(without.samplingPlace).toBeNull();
    expect(estimated({}).samplingPlace).toBe("device");
    expect(estimated({}).deviceBytesPerRank - without.deviceBytesPerRank).toBe(ofGraph + ofSampling);
    const ofWeights = 20_000_000 * 4 + 3 * rows * 4;
    const weighted = estimated({ deviceSampling: { isWeighted: true } });
    expect(weighted.deviceBytesPerRank - estimated({}).deviceBytesPerRank).toBe(ofWeights);
  });

  it("lies there by both ends of its edges where steps take their links out of it, with four such steps' blocks", () => {
    const [nodes, edges] = [1_000_000, 20_000_000];
    const byBothEnds = 2 * (nodes + 1) * 4 + 3 * edges * 4;
    const held = byBothEnds + (nodes + 1) * 8 + nodes * 4;
    const steps = 4 * (byBothEnds + edges * 4 + 2 * nodes * 4) + 4 * (edges + 1) * 4;
    const whole = estimated({ deviceSampling: { isWeighted: false, isWhole: true } });
    expect(whole.samplingPlace).toBe("device");
    expect(whole.deviceBytesPerRank - estimateJob({ ...input, device }).deviceBytesPerRank).toBe(held + steps);
  });

  it("is sampled by the host where there is room for the features or the graph, but not for both", () => {
    const bytes = estimateJob({ ...input, device }).deviceBytesPerRank + ofGraph + ofSampling;
    expect(estimated({ device: { ...device, memoryBytes: bytes } }).samplingPlace).toBe("device");
    const short = estimated({ device: { ...device, memoryBytes: bytes - 1 } });
    expect(short.samplingPlace).toBe("host");
    expect(short.placement?.placement).toBe("device");
    expect(short.explanation.some(({ what }) => what.includes("the graph, which the device samples"))).toBe(false);
  });

  it("comes before a cache of features that do not fit anyway, unless it took more than half of the room", () => {
    const beside = estimateJob({ ...input, device }).deviceBytesPerRank - 1_000_000 * 400;
    const room = (bytes: number) => ({ device: { ...device, memoryBytes: beside + bytes } });
    const cached = estimated(room(300e6));
    expect(cached.samplingPlace).toBe("device");
    expect(cached.placement).toMatchObject({ placement: "cached", roomBytes: 300e6 - ofGraph - ofSampling });
    expect(estimated(room(150e6)).samplingPlace).toBe("host");
    expect(estimated({ ...room(150e6), featurePlacement: "pinned" }).samplingPlace).toBe("device");
  });
});

describe("placeFeatures", () => {
  const room = { numRows: 1000, rowBytes: 400, deviceBytes: 0, hostBytes: 0 };
  const half = { ...room, deviceBytes: 204_100, hostBytes: 400_000 };

  it("takes the fastest place with room, and the host's mapping where there is none", () => {
    expect(placeFeatures({ ...room, deviceBytes: 400_000 })).toEqual({ placement: "device", deviceRows: 1000 });
    expect(placeFeatures(half)).toEqual({ placement: "cached", deviceRows: 500 });
    expect(placeFeatures(half, { canCache: false })).toEqual({ placement: "pinned", deviceRows: 0 });
    expect(placeFeatures({ ...half, hostBytes: 399_999 })).toEqual({ placement: "host", deviceRows: 0 });
    expect(placeFeatures({ ...half, deviceBytes: 7999 })).toEqual({ placement: "pinned", deviceRows: 0 });
    expect(placeFeatures({ ...room, deviceBytes: -1 })).toEqual({ placement: "host", deviceRows: 0 });
  });

  it("has a share with each rank's device where they do not hold all rows, and NVLink joins them", () => {
    // A thousand rows of 8 KiB: 500 take 4,096,000 bytes, and so two pieces of 2 MiB.
    const large = { numRows: 1000, rowBytes: 8192, deviceBytes: 2 * 2 ** 21, hostBytes: 1e9 };
    const sharers = { count: 2, areLinked: true };
    const shared = { placement: "sharded", deviceRows: 500 };
    expect(placeFeatures(large, { sharers })).toEqual(shared);
    expect(placeFeatures({ ...large, numRows: 999 }, { sharers })).toEqual(shared);
    expect(placeFeatures({ ...large, deviceBytes: 2 * 2 ** 21 - 1 }, { sharers }).placement).toBe("cached");
    expect(placeFeatures({ ...large, deviceBytes: 8_192_000 }, { sharers }).placement).toBe("device");
    expect(placeFeatures(large, { sharers: { count: 2, areLinked: false } }).placement).toBe("cached");
    expect(placeFeatures(large, { sharers: { count: 1, areLinked: true } }).placement).toBe("cached");
    const unlinked = { count: 2, areLinked: false };
    expect(placeFeatures({ ...large, deviceBytes: 1e9 }, { asked: "sharded", sharers: unlinked })).toEqual(shared);
    expect(placeFeatures({ ...large, deviceBytes: 1e9 }, { asked: "sharded" }).placement).toBe("device");
    expect(placeFeatures({ ...large, numRows: 1 }, { asked: "sharded", sharers }).placement).toBe("device");
  });

  it("takes what is asked for, with as many cached rows as there is room for beside their places", () => {
    expect(placeFeatures(room, { asked: "device" })).toEqual({ placement: "device", deviceRows: 1000 });
    expect(placeFeatures(half, { asked: "cached" })).toEqual({ placement: "cached", deviceRows: 500 });
    expect(placeFeatures(room, { asked: "cached" })).toEqual({ placement: "cached", deviceRows: 0 });
    expect(placeFeatures(half, { asked: "pinned" })).toEqual({ placement: "pinned", deviceRows: 0 });
    expect(placeFeatures(half, { asked: "host" })).toEqual({ placement: "host", deviceRows: 0 });
  });
});

describe("the features of a job on devices", () => {
  const estimated = (change: Partial<EstimateInput>) => estimateJob({ ...input, device, ...change });
  const needed = estimated({ featurePlacement: "host" }).deviceBytesPerRank;
  const linesOf = (change: Partial<EstimateInput>, of: string) =>
    estimated(change).explanation.filter((line) => line.of === of && line.what.startsWith("feature"));

  it("lie on the device as they are stored", () => {
    expect(estimated({ featureDtype: "fp16" }).placement).toMatchObject({ placement: "device", rowBytes: 200 });
    expect(linesOf({ featureDtype: "int8" }, "deviceMemory").at(-1)?.amount).toBe(1_000_000 * 100);
  });

  it("are cached where half of them fit, and pinned where nearly none do; what is pinned counts as memory", () => {
    const small = { memoryBytes: needed + 204e6, hostBytes: 100e9 };
    expect(estimated({ device: small }).placement).toMatchObject({ placement: "cached", deviceRows: 500_000 });
    expect(linesOf({ device: small }, "deviceMemory").at(-1)?.amount).toBe(204e6);
    expect(estimated({ device: small }).deviceBytesPerRank).toBe(needed + 204e6);
    const pinned = { device: { ...small, memoryBytes: needed } };
    expect(estimated(pinned).placement).toMatchObject({ placement: "pinned", deviceRows: 0, roomBytes: 0 });
    expect(linesOf(pinned, "memory").at(-1)?.amount).toBe(400e6);
    expect(estimated(pinned).deviceBytesPerRank).toBe(needed);
  });

  it("lie in shares where the devices of a host hold them together, as far as these were announced", () => {
    const share = 250_000 * 400;
    const small = (bytes: number, linked: number) => ({
      ranks: 4,
      device: { memoryBytes: bytes, hostBytes: 100e9, peers: { onHost: 4, linked } },
    });
    const beside = estimated({ ranks: 4, featurePlacement: "host" }).deviceBytesPerRank;
    const exact = Math.ceil(share / 2 ** 21) * 2 ** 21;
    const found = estimated(small(beside + exact, 4));
    expect(found.placement).toMatchObject({ placement: "sharded", deviceRows: 250_000, roomBytes: exact });
    expect(found.deviceBytesPerRank).toBe(beside + exact);
    expect(linesOf(small(beside + exact, 4), "deviceMemory").at(-1)).toMatchObject({ amount: exact });
    expect(linesOf(small(beside + exact, 4), "memory").some(({ what }) => what.includes("pinned"))).toBe(false);
    expect(estimated(small(beside + exact - 1, 4)).placement?.placement).toBe("cached");
    // All ranks of a host share, or none does: where NVLink joins two and two it does not join four.
    expect(estimated(small(beside + exact, 2)).placement?.placement).toBe("cached");
    const onTwoHosts = { ...small(beside + exact, 4), ranks: 8 };
    expect(estimated(onTwoHosts).placement).toMatchObject({ placement: "sharded", deviceRows: 250_000 });
    const asked = { ...small(beside + exact, 1), featurePlacement: "sharded" as const };
    expect(estimated(asked).placement).toMatchObject({ placement: "sharded", deviceRows: 250_000 });
    const alone = { ranks: 1, featurePlacement: "sharded" as const };
    expect(estimated(alone).placement?.placement).toBe("device");
  });

  it("stay with the host that cannot pin them for each of its ranks", () => {
    const small = { memoryBytes: 650e6, hostBytes: 1e9 };
    expect(estimated({ device: small, ranks: 1 }).placement?.placement).toBe("pinned");
    expect(estimated({ device: small, ranks: 2 }).placement?.placement).toBe("host");
  });

  it("go up batch by batch where ranks hold parts of the graph, and have no place on CPUs or when they are sparse", () => {
    expect(estimated({ isPartitioned: true }).placement?.placement).toBe("host");
    expect(estimateJob(input).placement).toBeNull();
    expect(estimated({ graph: { ...input.graph, features: { kind: "csr", dim: 9 } } }).placement).toBeNull();
  });
});
