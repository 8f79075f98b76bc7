import type { ErrorCode } from "@hopwise/contracts";

/** Why no online worker can run a job, and the part of its spec that says so. */
export interface Objection {
  readonly code: Extract<ErrorCode, "JOB_DEVICE_UNAVAILABLE" | "JOB_TOO_LARGE">;
  readonly pointer: string;
  readonly detail: string;
}
