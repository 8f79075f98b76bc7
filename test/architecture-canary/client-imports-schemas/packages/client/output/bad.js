import { jobSpec } from "@hopwise/contracts";

export const schema = jobSpec;
