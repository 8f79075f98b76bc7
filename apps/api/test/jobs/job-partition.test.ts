import { expectedRemoteReads } from "@hopwise/gnn-core/estimate";
import { describe, expect, it } from "vitest";
import { jobPartition } from "../../src/jobs/job-partition.ts";

const report = {
  numParts: 2,
  edgeCut: 0.25,
  communicationVolume: 7,
  expectedRemoteReads: 1,
  imbalance: { nodes: 1, edges: 1, train: 1 },
  parts: [
    { part: 0, nodes: 600, edges: 2500, trainNodes: 60, haloNodes: 150 },
    { part: 1, nodes: 400, edges: 1500, trainNodes: 40, haloNodes: 200 },
  ],
};
const info = {
  numParts: 2,
  numNodes: 1000,
  numEdges: 4000,
  nodeOffsets: [0, 600, 1000],
  edgeOffsets: [0, 2500, 4000],
  partitioner: { type: "metis", options: {} },
  graph: {
    classes: ["a", "b"],
    features: { kind: "dense", dim: 3 },
    splits: { train: 100, val: 0, test: 0, none: 900 },
    idType: "int64",
    directed: true,
  },
  report,
};
const spec = {
  sampling: { type: "neighbor", options: { fanouts: [3, 2], edgeDir: "in" } },
  train: { batchSize: 64 },
  resources: { ranks: 2 },
};
const jobWith = (change: object) => ({ kind: "train", spec: { ...spec, ...change } });
const changed = (change: object) => jobPartition({ info }, jobWith(change)).remoteReadsPerStep;

describe("the partition of a job", () => {
  it("is refused when the parts do not say how the graph was cut", () => {
    for (const damaged of [null, {}, { ...info, report: {} }]) {
      expect(() => jobPartition({ info: damaged }, jobWith({}))).toThrow(/artifact of kind "parts" is damaged/);
    }
  });

  it("has the halo of each part, and of all, per node", () => {
    const partition = jobPartition({ info }, jobWith({}));
    expect(partition.parts.map(({ haloRatio }) => haloRatio)).toEqual([0.25, 0.5]);
    expect(partition.haloRatio).toBe(0.35);
    expect(partition).toMatchObject({ edgeCut: 0.25, communicationVolume: 7 });
  });

  it("expects the remote reads of the job's own fanouts and batches", () => {
    const graph = { numParts: 2, edgeCut: 0.25, numNodes: 1000, numEdges: 4000 };
    expect(changed({})).toBe(expectedRemoteReads(graph, 32, [3, 2]));
    // No more seeds than there are training nodes.
    expect(changed({ train: { batchSize: 1024 } })).toBe(expectedRemoteReads(graph, 50, [3, 2]));
  });

  it("expects nothing where the formula does not hold", () => {
    expect(changed({ resources: { ranks: 1 } })).toBeNull();
    expect(changed({ sampling: { type: "full", options: {} } })).toBeNull();
    expect(changed({ sampling: { type: "neighbor", options: { fanouts: [3, 2], edgeDir: "out" } } })).toBeNull();
    expect(jobPartition({ info }, { kind: "ingest", spec: {} }).remoteReadsPerStep).toBeNull();
  });
});
