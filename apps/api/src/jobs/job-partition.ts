import type { ArtifactInfo, PartitionAnswer } from "@hopwise/contracts";
import { expectedRemoteReads } from "@hopwise/gnn-core/estimate";
import { artifactInfo, trainingSpecOf } from "../database/stored-json.ts";
import type { Artifact, Job } from "../generated/prisma/client.ts";

type Report = ArtifactInfo<"parts">["report"];
type TrainingSpec = ReturnType<typeof trainingSpecOf>;

/**
 * The report in a parts artifact, with what follows from the job's spec: the same partition serves jobs with other
 * fanouts.
 *
 * @throws AppError MANIFEST_INVALID
 */
export function jobPartition(artifact: Pick<Artifact, "info">, job: Pick<Job, "kind" | "spec">): PartitionAnswer {
  const { report } = artifactInfo("parts", artifact.info);
  const parts = report.parts.map((part) => ({ ...part, haloRatio: ratio(part.haloNodes, part.nodes) }));
  return {
    ...report,
    parts,
    haloRatio: ratio(sum(parts, "haloNodes"), sum(parts, "nodes")),
    remoteReadsPerStep: remoteReadsPerStep(report, trainingSpecOf(job)),
  };
}

function remoteReadsPerStep({ numParts, edgeCut, parts }: Report, spec: TrainingSpec): number | null {
  if (spec === null) return null;
  const { sampling, train, resources } = spec;
  const { fanouts, edgeDir = "in" } = sampling.options;
  if (resources.ranks !== numParts || !Array.isArray(fanouts) || edgeDir !== "in") return null;
  const graph = { numParts, edgeCut, numNodes: sum(parts, "nodes"), numEdges: sum(parts, "edges") };
  const seeds = Math.min(train.batchSize, sum(parts, "trainNodes"));
  return expectedRemoteReads(graph, seeds / numParts, fanouts as number[]);
}

function sum(parts: Report["parts"], field: "nodes" | "edges" | "trainNodes" | "haloNodes"): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

function ratio(count: number, total: number): number {
  return total === 0 ? 0 : count / total;
}
