import type { JobSpec } from "@hopwise/contracts";

export type Bad = JobSpec;
