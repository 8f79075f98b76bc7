import type { JobSpec } from "@hopwise/contracts";
import { expectedRemoteReads } from "@hopwise/gnn-core/estimate";

interface PartInfo {
  readonly part: number;
  readonly nodes: number;
  readonly edges: number;
  readonly trainNodes: number;
  readonly valNodes?: number;
  readonly testNodes?: number;
  readonly haloNodes: number;
}
/** `info.report` of a `parts` artifact (docs/ARCHITECTURE.md). */
interface StoredReport {
  readonly numParts: number;
  readonly edgeCut: number;
  readonly communicationVolume: number;
  readonly expectedRemoteReads: number;
  readonly imbalance: {
    readonly nodes: number;
    readonly edges: number;
    readonly train: number;
    readonly val?: number;
    readonly test?: number;
  };
  readonly parts: readonly PartInfo[];
}

/** How a job's graph was cut, and what the cut costs this job. */
export interface JobPartition extends StoredReport {
  readonly parts: readonly (PartInfo & { readonly haloRatio: number })[];
  readonly haloRatio: number;
  readonly remoteReadsPerStep: number | null;
}

/**
 * The report in a parts artifact's `info`, which its writer's schema has checked, with what follows from the job's spec:
 * the same partition serves jobs with other fanouts.
 */
export function jobPartition(info: unknown, spec: unknown): JobPartition | null {
  const report = (info as { report?: StoredReport } | null | undefined)?.report;
  if (!report) return null;
  const parts = report.parts.map((part) => ({ ...part, haloRatio: ratio(part.haloNodes, part.nodes) }));
  return {
    ...report,
    parts,
    haloRatio: ratio(sum(parts, "haloNodes"), sum(parts, "nodes")),
    remoteReadsPerStep: remoteReadsPerStep(report, spec as Partial<JobSpec>),
  };
}

function remoteReadsPerStep({ numParts, edgeCut, parts }: StoredReport, spec: Partial<JobSpec>): number | null {
  const { sampling, train, resources } = spec;
  const { fanouts, edgeDir = "in" } = sampling?.options ?? {};
  if (!train || resources?.ranks !== numParts || !Array.isArray(fanouts) || edgeDir !== "in") return null;
  const graph = { numParts, edgeCut, numNodes: sum(parts, "nodes"), numEdges: sum(parts, "edges") };
  const seeds = Math.min(train.batchSize, sum(parts, "trainNodes"));
  return expectedRemoteReads(graph, seeds / numParts, fanouts as number[]);
}

function sum(parts: readonly PartInfo[], field: "nodes" | "edges" | "trainNodes" | "haloNodes"): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

function ratio(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}
