import type { JobEventContent } from "@hopwise/contracts";

/** An event of a job before it has a cursor. */
export type NewJobEvent = JobEventContent & {
  readonly at: Date;
  readonly attempt: number;
  readonly stageIndex: number | null;
};

/** As subscribers see it; `cursor` counts 1, 2, 3 … per job. */
export type PersistedJobEvent = NewJobEvent & { readonly jobId: string; readonly cursor: number };
