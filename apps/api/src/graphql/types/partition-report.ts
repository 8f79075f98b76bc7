import { builder } from "../builder.ts";

interface PartInfo {
  readonly part: number;
  readonly nodes: number;
  readonly edges: number;
  readonly trainNodes: number;
  readonly haloNodes: number;
}
interface Imbalance {
  readonly nodes: number;
  readonly edges: number;
  readonly train: number;
}
/** `info.report` of a `parts` artifact (docs/ARCHITECTURE.md). */
export interface PartitionReport {
  readonly numParts: number;
  readonly edgeCut: number;
  readonly communicationVolume: number;
  readonly expectedRemoteReads: number;
  readonly imbalance: Imbalance;
  readonly parts: readonly PartInfo[];
}

const PartInfoType = builder.objectRef<PartInfo>("PartInfo").implement({
  fields: (t) => ({
    part: t.exposeInt("part"),
    nodes: t.expose("nodes", { type: "SafeInt" }),
    edges: t.expose("edges", { type: "SafeInt" }),
    trainNodes: t.expose("trainNodes", { type: "SafeInt" }),
    haloNodes: t.expose("haloNodes", { type: "SafeInt" }),
  }),
});

const ImbalanceType = builder.objectRef<Imbalance>("Imbalance").implement({
  description: "Largest part over mean part",
  fields: (t) => ({
    nodes: t.exposeFloat("nodes"),
    edges: t.exposeFloat("edges"),
    train: t.exposeFloat("train"),
  }),
});

export const PartitionReportType = builder.objectRef<PartitionReport>("PartitionReport").implement({
  fields: (t) => ({
    numParts: t.exposeInt("numParts"),
    edgeCut: t.exposeFloat("edgeCut", { description: "Fraction of the edges between parts" }),
    communicationVolume: t.expose("communicationVolume", { type: "SafeInt", nullable: true }),
    expectedRemoteReads: t.exposeFloat("expectedRemoteReads"),
    imbalance: t.field({ type: ImbalanceType, resolve: (report) => report.imbalance }),
    parts: t.field({ type: [PartInfoType], resolve: (report) => [...report.parts] }),
  }),
});

/** The report in a parts artifact's `info`, which its writer's schema has checked. */
export function partitionReportOf(info: unknown): PartitionReport | null {
  return (info as { report?: PartitionReport } | null | undefined)?.report ?? null;
}
