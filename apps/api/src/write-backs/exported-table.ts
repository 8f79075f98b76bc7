import { AppError, type BlobAnswer, type writeBackOutputs } from "@hopwise/contracts";
import type { TableShape } from "@hopwise/gnn-core/spec";
import { artifactInfo, blobsOf } from "../database/stored-json.ts";
import type { Artifact } from "../generated/prisma/client.ts";
import { exportsOf } from "../jobs/job-artifacts.ts";
import type { Services } from "../services.ts";

type Output = (typeof writeBackOutputs)[number];

/** A file of a job's results in the form that PostgreSQL reads, and what its columns are. */
export interface ExportedTable {
  readonly artifact: Artifact;
  readonly blob: BlobAnswer;
  readonly shape: TableShape;
}

/**
 * The rows of an output, if they have been exported.
 *
 * @param nodeType  that all rows are of; null: of all types
 * @throws AppError JOB_WITHOUT_RESULTS when the export has other rows, and not these
 */
export async function findExportedTable(
  services: Services,
  jobId: string,
  output: Output,
  nodeType: string | null,
): Promise<ExportedTable | null> {
  for (const artifact of await exportsOf(services, jobId)) {
    const { tables } = artifactInfo("exports", artifact.info);
    const ofOutput = tables.filter(({ file }) => file.split(".")[0] === exportOf(output));
    if (ofOutput.length === 0) continue;
    const shape = tables.find(({ file, nodeType: type }) => file.split(".")[0] === output && type === nodeType);
    const blob = blobsOf(artifact).find(({ name }) => name === shape?.file);
    if (shape && blob) return { artifact, blob, shape };
    const types = ofOutput.flatMap(({ nodeType: type }) => type ?? []);
    throw new AppError("JOB_WITHOUT_RESULTS", absence(output, nodeType, types), {
      place: { pointer: nodeType === null ? "/output" : "/nodeType" },
    });
  }
  return null;
}

/** What is exported with an output: pairs come beside predictions. */
export function exportOf(output: Output): "embeddings" | "predictions" {
  return output === "embeddings" ? "embeddings" : "predictions";
}

function absence(output: Output, nodeType: string | null, types: readonly string[]): string {
  if (nodeType === null) return `The job has no ${output}; tasks on links alone have pairs. Ask for its predictions.`;
  const expected = types.length > 0 ? `expected one of ${types.join(", ")}` : "they are not told apart by type";
  return `The job has no ${output} of nodes of the type ${JSON.stringify(nodeType)}; ${expected}.`;
}
