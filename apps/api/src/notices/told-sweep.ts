import type { NoticeEvent } from "@hopwise/contracts";
import type { Job } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";

/** The best setting of a sweep: its best job, and the means over its seeds. */
export interface ToldSetting {
  readonly jobId: string;
  readonly setting: string;
  readonly validation: number | null;
  readonly test: number | null;
}

/** What is said of a sweep that has ended. */
export interface ToldSweep {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly datasetName: string;
  readonly chiefMetric: string | null;
  readonly counts: {
    readonly jobs: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly cancelled: number;
  };
  readonly best: ToldSetting | null;
}

/** How a sweep has ended. */
export interface SweepEnd {
  readonly event: NoticeEvent;
  readonly message: string;
  readonly at: Date;
  readonly sweep: ToldSweep;
  /** The best job of its best setting */
  readonly best: Job | null;
}

/** Where ends of sweeps come from that nobody has been told of. */
export interface SweepEnds {
  /** Ids of some sweeps of which nothing goes on any more. */
  due(): Promise<string[]>;
  /** Takes the end of one off what is due, with the caller's transaction; null: there is nothing to tell. */
  take(tx: Tx, id: string): Promise<SweepEnd | null>;
}
