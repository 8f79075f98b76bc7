import { describe, expect, it } from "vitest";
import { type EstimateInput, estimateJob, estimateWithComponents } from "../../src/estimate/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";

const input: EstimateInput = {
  graph: {
    numNodes: 1_000_000,
    numEdges: 20_000_000,
    features: { kind: "dense", dim: 100 },
    numClasses: 10,
    numTrainNodes: 100_000,
  },
  featureDtype: "fp32",
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

const choice = (type: string, options = {}) => ({ type, options });

describe("estimateJob", () => {
  it("explains every byte: the lines add up to the totals", () => {
    const { memoryBytesPerRank, diskBytes, seconds, explanation } = estimateJob(input);
    const sum = (of: string) =>
      explanation.filter((line) => line.of === of).reduce((total, { amount }) => total + amount, 0);
    const partition = sum("partitionMemory");
    expect(partition).toBeGreaterThan(0);
    expect(memoryBytesPerRank).toBe(Math.ceil(Math.max(sum("memory"), partition)));
    expect(diskBytes).toBe(Math.ceil(sum("disk")));
    const parts = ["timeOverhead", "time", "stageOverhead", "stageTime"].map(sum);
    expect(seconds).toBeCloseTo(parts.reduce((total, part) => total + part, 0));
    for (const part of parts) expect(part).toBeGreaterThan(0);
  });

  it("counts at least the graph itself: 8 B per node offset, 4 B per edge, 4 B per feature", () => {
    const graph = 1_000_001 * 8 + 20_000_000 * 4 + 1_000_000 * (100 * 4 + 5);
    const line = estimateJob(input).explanation.find(({ what }) => what.startsWith("graph, mapped"))!;
    expect(line.amount).toBe(graph);
  });

  it("counts 2 B per fp16 feature and 1 B per int8 feature in the parts, and float32 where they are computed with", () => {
    const amountOf = (dtype: "fp32" | "fp16" | "int8", start: string) =>
      estimateJob({ ...input, featureDtype: dtype }).explanation.find(({ what }) => what.startsWith(start))!.amount;
    for (const start of ["graph, mapped", "parts"]) {
      expect(amountOf("fp32", start) - amountOf("fp16", start)).toBe(1_000_000 * 100 * 2);
      expect(amountOf("fp32", start) - amountOf("int8", start)).toBe(1_000_000 * 100 * 3);
    }
    expect(amountOf("int8", "features of")).toBe(amountOf("fp32", "features of"));
  });

  it("counts learned rows as float32 whatever the features, with their optimizer's state and the best ones", () => {
    const learnedRows = { dim: 64, stateBytesPerRow: 64 * 8 + 4 };
    const linesOf = (further: Partial<EstimateInput>) => {
      const { explanation } = estimateJob({ ...input, featureDtype: "int8", keptCheckpoints: 2, ...further });
      return (start: string) => explanation.filter(({ what }) => what.startsWith(start)).map(({ amount }) => amount);
    };
    const kept = 1_000_000 * (3 * 64 * 4 + 64 * 8 + 4);
    const none = linesOf({ ranks: 2 });
    const shared = linesOf({ learnedRows, ranks: 2 });
    expect(none("learned rows")).toEqual([]);
    expect(shared("learned rows, their")).toEqual([kept / 2]);
    expect(shared("learned rows as evaluation")).toEqual([(1_000_000 * 64 * 4) / 2]);
    expect(shared("graph, mapped")).toEqual(none("graph, mapped"));
    // [features ‖ rows], its gradient, and copies of both on their way.
    expect(shared("input rows of a step")).toEqual([512 * 100 * (4 * 164 + 2 * 64) * 4]);
    expect(shared("learned rows in checkpoints")).toEqual([2 * kept + 1_000_000 * (64 * 4 + 20)]);
    const apart = linesOf({ learnedRows, ranks: 2, isPartitioned: true });
    expect(apart("learned rows as evaluation")).toEqual([]);
    expect(apart("learned rows, their")).toEqual([kept / 2]);
  });

  it("counts the features once more for samplers that keep their sums, as CSR rows no wider than there are columns", () => {
    const amountOf = (features: EstimateInput["graph"]["features"]) =>
      estimateJob({ ...input, graph: { ...input.graph, features }, keepsFeatureSums: true }).explanation.find(
        ({ what }) => what.startsWith("sums of the features"),
      )!.amount;
    expect(amountOf({ kind: "dense", dim: 100 })).toBe(1_000_000 * 100 * 4);
    // 5 values a row, 1 + 20 rows summed; at most 60 columns
    expect(amountOf({ kind: "csr", dim: 5_000, numValues: 5_000_000 })).toBe(1_000_000 * 21 * (8 + 5 * 8));
    expect(amountOf({ kind: "csr", dim: 60, numValues: 5_000_000 })).toBe(1_000_000 * (8 + 60 * 8));
    expect(estimateJob(input).explanation.some(({ what }) => what.startsWith("sums of the features"))).toBe(false);
  });

  it("counts for a sampler process what it is without a graph, its share of the edges, and the blocks on their way", () => {
    const ranks = 2;
    const samplers = 4;
    const { memoryBytesPerSampler, memoryBytesPerRank, memoryBytes, explanation } = estimateJob({
      ...input,
      partitionBytes: 0,
      ranks,
      samplers,
    });
    const edges = 1_000_001 * 8 + 20_000_000 * 4;
    // 512 seeds of 100 rows: a column for each, and an id and an offset in each of 2 blocks; twice, for 2 batches of 2
    // ranks
    const blocks = 512 * 100 * (4 + 8 * 2) * 2 * 2 * 2;
    expect(memoryBytesPerSampler).toBe(250e6 + edges / 4 + blocks);
    const lines = explanation.filter(({ of }) => of === "samplerMemory");
    expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(memoryBytesPerSampler);
    // On one host the edges lie in memory once.
    expect(memoryBytes).toBeCloseTo(ranks * memoryBytesPerRank + samplers * (250e6 + blocks), -1);
  });

  it("counts no more edges in the blocks of a batch than the graph has, and nothing where no process draws", () => {
    const every = estimateJob({ ...input, samplers: 1, rowsPerSeed: 1e9 });
    const edges = 1_000_001 * 8 + 20_000_000 * 4;
    expect(every.memoryBytesPerSampler).toBe(250e6 + edges + (2 * 20_000_000 * 4 + 1_000_000 * 8 * 2) * 2 * 2);
    expect(estimateJob(input).memoryBytesPerSampler).toBe(0);
    expect(estimateJob(input).explanation.some(({ of }) => of === "samplerMemory")).toBe(false);
  });

  it("needs on one host what its ranks need together, or what partitioning does, which has but one process", () => {
    const { memoryBytesPerRank, memoryBytes } = estimateJob({ ...input, partitionBytes: 0, ranks: 2 });
    expect(memoryBytes).toBeCloseTo(2 * memoryBytesPerRank, -1);
    const cut = estimateJob({ ...input, partitionBytes: 1e12, ranks: 4 });
    expect(cut.memoryBytes).toBe(cut.partitionPeakBytes);
    expect(cut.partitionPeakBytes).toBe(250e6 + 1_000_001 * 8 + 20_000_000 * 4 + 1_000_000 * 405 + 1e12);
  });

  it("asks for less memory per rank and less work of training with more ranks, and for nothing finite-less", () => {
    const work = ({ explanation }: ReturnType<typeof estimateJob>) =>
      explanation.filter(({ of }) => of === "time").reduce((sum, { amount }) => sum + amount, 0);
    const one = estimateJob({ ...input, partitionBytes: 0 });
    const four = estimateJob({ ...input, partitionBytes: 0, ranks: 4 });
    expect(four.memoryBytesPerRank).toBeLessThan(one.memoryBytesPerRank);
    expect(work(four)).toBeLessThan(work(one));
    for (const { amount } of four.explanation) expect(amount).toBeGreaterThanOrEqual(0);
  });

  it("grows with every size it is given", () => {
    const base = estimateJob(input);
    for (const larger of [{ numParameters: 1e7 }, { hiddenFeats: 1024 }, { rowsPerSeed: 500 }, { batchSize: 8192 }]) {
      const grown = estimateJob({ ...input, partitionBytes: 0, ...larger });
      expect(grown.memoryBytesPerRank).toBeGreaterThan(estimateJob({ ...input, partitionBytes: 0 }).memoryBytesPerRank);
    }
    expect(estimateJob({ ...input, epochs: 20 }).seconds!).toBeGreaterThan(base.seconds!);
  });

  it("counts the other stages whatever the number of epochs, and more of them for more edges and wider rows", () => {
    const stageSeconds = (further: Partial<EstimateInput>) =>
      estimateJob({ ...input, ...further })
        .explanation.filter(({ of }) => of.startsWith("stage"))
        .reduce((sum, { amount }) => sum + amount, 0);
    const base = stageSeconds({});
    expect(stageSeconds({ epochs: 1000 })).toBe(base);
    expect(stageSeconds({ graph: { ...input.graph, numEdges: 40_000_000 } })).toBeGreaterThan(base);
    expect(stageSeconds({ hiddenFeats: 512 })).toBeGreaterThan(base);
  });

  it("takes a message for as dear as the model says", () => {
    const cheap = estimateJob(input).seconds!;
    const dear = estimateJob({ ...input, messageCost: 3 }).seconds!;
    const dearer = estimateJob({ ...input, messageCost: 5 }).seconds!;
    expect(dear).toBeGreaterThan(cheap);
    expect(dearer - dear).toBeCloseTo(dear - cheap, 6);
  });

  it("knows no time when there is nothing to train on", () => {
    expect(estimateJob({ ...input, graph: { ...input.graph, numTrainNodes: 0 } }).seconds).toBeNull();
  });
});

describe("estimateWithComponents", () => {
  it("asks the components of the spec", async () => {
    const graph = {
      numNodes: 2708,
      numEdges: 10_556,
      features: { kind: "csr" as const, dim: 1433, numValues: 49_216 },
      classes: ["0", "1", "2", "3", "4", "5", "6"],
      splits: { train: 140, val: 500, test: 1000, none: 1068 },
      labelCounts: [{ label: "0", count: 2000 }],
    };
    const spec = {
      task: { target: "label", inductive: false },
      partition: choice("metis", { numParts: 2 }),
      model: choice("sage", { hiddenFeats: 16, numLayers: 2 }),
      sampling: choice("neighbor", { fanouts: [15, 10] }),
      features: { dtype: "fp16" as const, structural: null },
      train: { epochs: 50, batchSize: 1024, seed: 0, evaluate: { everyEpochs: 1 }, checkpoint: { keepBest: 1 } },
    };
    const registry = await loadRegistry();
    const estimate = estimateWithComponents(graph, spec, registry, { ranks: 2, threadsPerRank: 1 });
    // Two weight matrices and a bias per layer: 1433 → 16 → 7.
    const parameters = 2 * 1433 * 16 + 16 + 2 * 16 * 7 + 7;
    const line = estimate.explanation.find(({ what }) => what.startsWith("weights"))!;
    expect(line.amount).toBe(parameters * 4 * 5);
    const graphLine = estimate.explanation.find(({ what }) => what.startsWith("graph, mapped"))!;
    // Offsets, edges, labels and splits; a CSR value takes 2 bytes beside its column's 4.
    expect(graphLine.amount * 2).toBeCloseTo(2709 * 8 + 10_556 * 4 + 2708 * 5 + 2708 * 8 + 49_216 * 6);
    expect(estimate.memoryBytesPerRank).toBeGreaterThan(250e6);
    expect(estimate.memoryBytesPerRank).toBeLessThan(1e9);

    // Messages both ways: each rank has two edges for each that is stored, and a device samples those.
    const both = { ...spec, sampling: choice("neighbor", { fanouts: [15, 10], edgeDir: "both" }) };
    const onDevice = { ranks: 2, threadsPerRank: 1, device: { memoryBytes: 80e9, hostBytes: 100e9 } };
    const linesOf = (asked: typeof spec) => estimateWithComponents(graph, asked, registry, onDevice).explanation;
    const amountIn = (lines: ReturnType<typeof linesOf>, start: string) =>
      lines.find(({ what }) => what.startsWith(start))?.amount;
    expect(amountIn(linesOf(both), "edges along which")).toBe(2709 * 8 + 2 * 10_556 * 4);
    expect(amountIn(linesOf(spec), "edges along which")).toBeUndefined();
    expect(amountIn(linesOf(both), "the graph, which the device")).toBe(2709 * 8 + 2 * 10_556 * 4);
    expect(amountIn(linesOf(spec), "the graph, which the device")).toBe(2709 * 8 + 10_556 * 4);
    expect(amountIn(linesOf(both), "graph, mapped")).toBe(amountIn(linesOf(spec), "graph, mapped"));

    // Links of steps that reach all nodes anyway are taken out of the whole graph on the device.
    const shared = { task: { type: "linkPrediction", negatives: { type: "shared", perLink: 8 } } } as const;
    const linesOfLinks = (type: string, batchSize: number) =>
      linesOf({ ...spec, ...shared, sampling: choice(type), train: { ...spec.train, batchSize } } as never);
    expect(amountIn(linesOfLinks("full", 1024), "the graph, by both ends")).toBeGreaterThan(3 * 10_556 * 4);
    expect(amountIn(linesOfLinks("full", 512), "the graph, by both ends")).toBeUndefined();
    expect(amountIn(linesOfLinks("neighbor", 1024), "the graph, by both ends")).toBeUndefined();

    const embedding = { dim: 5, optimizer: { type: "sparseAdagrad" as const, options: { lr: 0.1 } } };
    const learned = { ...spec, features: { ...spec.features, embedding } };
    const { explanation: withRows } = estimateWithComponents(graph, learned, registry, {
      ranks: 2,
      threadsPerRank: 1,
      graph: "partitioned",
    });
    const amountOf = (start: string) => withRows.find(({ what }) => what.startsWith(start))!.amount;
    expect(amountOf("weights")).toBe((2 * (1433 + 5) * 16 + 16 + 2 * 16 * 7 + 7) * 4 * 5);
    // Rows, those of the best evaluation, sums of squares.
    expect(amountOf("learned rows, their")).toBe((2708 * 3 * 5 * 4) / 2);
    expect(withRows.filter(({ what }) => what.startsWith("learned rows as"))).toEqual([]);

    // 0.5 · 2000 labelled nodes in steps of 100; with the column's split there would be 140 nodes.
    const split = { type: "random", train: 0.5, val: 0.25, test: 0.25, stratify: true, seed: 0 } as const;
    const drawn = { ...spec, split, train: { ...spec.train, batchSize: 100 } };
    const { explanation } = estimateWithComponents(graph, drawn, registry, { ranks: 2, threadsPerRank: 1 });
    expect(explanation.map(({ what }) => what)).toContain("work of 500 steps");
  });
});
