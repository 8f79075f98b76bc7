import type { Planted } from "../graphql/types/job.ts";

export type Bad = Planted;
