import { ProblemError, succeededJob } from "@hopwise/client";
import { api } from "./api.ts";
import { requestExportMutation } from "./documents/results.ts";
import type { VariablesOf } from "./graphql.ts";

const patienceMs = 10 * 60_000;

/** A file of a job's results that can be made. */
type WantedExport = VariablesOf<typeof requestExportMutation>;

/** What the columns of embeddings are to be called */
export interface ColumnNames {
  readonly idColumn: string;
  readonly vectorColumn: string;
}

/**
 * Has a file of a job's results made, and waits for the job that makes it.
 *
 * @returns where the file is
 * @throws ProblemError when the API refuses, the job fails, or it has not ended after ten minutes
 */
export async function makeExport(wanted: WantedExport): Promise<string> {
  const { url, job } = (await api.graphql(requestExportMutation, wanted)).requestExport;
  if (job === null) return url;
  const signal = AbortSignal.timeout(patienceMs);
  await succeededJob(api, job.id, { signal }).catch((error: unknown) => {
    throw signal.aborted ? notMadeYet() : error;
  });
  return url;
}

function notMadeYet(): ProblemError {
  return new ProblemError({
    code: "TIMEOUT",
    title: "The file is not made yet",
    detail: "A worker has been making it for ten minutes. Look at the jobs page, and ask again later.",
  });
}

/** Hands the file of an address to the browser. */
export function saveUrl(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}

/** Hands a file that was made in the page to the browser. */
export function saveFile(file: File): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has its own hold on the file once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
