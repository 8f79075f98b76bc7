import { limits, type PartitionAnswer } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";
import { nestedListCost } from "../base/costs.ts";

const PartInfoType = builder.objectRef<PartitionAnswer["parts"][number]>("PartInfo").implement({
  fields: (t) => ({
    part: t.exposeInt("part"),
    nodes: t.expose("nodes", { type: "SafeInt" }),
    edges: t.expose("edges", { type: "SafeInt" }),
    trainNodes: t.expose("trainNodes", { type: "SafeInt" }),
    valNodes: t.expose("valNodes", { type: "SafeInt", nullable: true }),
    testNodes: t.expose("testNodes", { type: "SafeInt", nullable: true }),
    haloNodes: t.expose("haloNodes", { type: "SafeInt" }),
    haloRatio: t.exposeFloat("haloRatio", { description: "Halo nodes per node of the part" }),
  }),
});

const ImbalanceType = builder.objectRef<PartitionAnswer["imbalance"]>("Imbalance").implement({
  description: "Largest part over mean part",
  fields: (t) => ({
    nodes: t.exposeFloat("nodes"),
    edges: t.exposeFloat("edges"),
    train: t.exposeFloat("train"),
    val: t.exposeFloat("val", { nullable: true }),
    test: t.exposeFloat("test", { nullable: true }),
  }),
});

type TypeShares = NonNullable<PartitionAnswer["types"]>[number];

const TypeSharesType = builder.objectRef<TypeShares>("TypeShares").implement({
  description: "Nodes of one type, part by part",
  fields: (t) => ({
    type: t.exposeString("type"),
    nodes: t.expose("nodes", { type: ["SafeInt"] }),
    edges: t.expose("edges", { type: ["SafeInt"], description: "In-edges of these nodes" }),
    haloNodes: t.expose("haloNodes", {
      type: ["SafeInt"],
      description: "Nodes of other parts, within the halo's hops",
    }),
  }),
});

export const PartitionReportType = builder.objectRef<PartitionAnswer>("PartitionReport").implement({
  fields: (t) => ({
    numParts: t.exposeInt("numParts"),
    edgeCut: t.exposeFloat("edgeCut", { description: "Fraction of the edges between parts" }),
    communicationVolume: t.expose("communicationVolume", {
      type: "SafeInt",
      nullable: true,
      description: "Rows fetched when every part fetches each outside in-neighbour once",
    }),
    haloRatio: t.exposeFloat("haloRatio", { description: "Halo nodes of all parts per node" }),
    expectedRemoteReads: t.exposeFloat("expectedRemoteReads", {
      description: "In-neighbours in another part, per node on average",
    }),
    remoteReadsPerStep: t.exposeFloat("remoteReadsPerStep", {
      nullable: true,
      description:
        "Distinct rows of other parts that one rank is expected to read per training step with the job's fanouts and batch size (formula: docs/guides/partitions.md); null unless each rank owns one part and the sampler draws in-neighbours by fanouts",
    }),
    imbalance: t.field({ type: ImbalanceType, resolve: (report) => report.imbalance }),
    parts: t.field({
      type: [PartInfoType],
      complexity: nestedListCost(limits.ranks),
      resolve: (report) => [...report.parts],
    }),
    types: t.field({
      type: [TypeSharesType],
      nullable: true,
      description: "By types of nodes, of which there are 2 to 32; null: they are alike, or of more types",
      resolve: ({ types }) => types,
    }),
  }),
});
