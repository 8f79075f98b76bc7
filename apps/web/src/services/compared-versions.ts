import { mostCompared } from "./comparison.ts";

interface Version {
  /** null: the job is deleted */
  readonly jobId: string | null;
  readonly stage: string;
}

/**
 * The jobs that trained the versions of a model, as many as a comparison holds: the one in production first, then the
 * newest. Versions whose job is deleted have nothing to compare.
 */
export function comparedJobs(versions: readonly Version[]): readonly string[] {
  const inOrder = versions.toSorted((a, b) => Number(b.stage === "PRODUCTION") - Number(a.stage === "PRODUCTION"));
  return [...new Set(inOrder.flatMap(({ jobId }) => jobId ?? []))].slice(0, mostCompared);
}
