import { defineStep } from "../spec/define-step.ts";
import { partitionStepOptions } from "../train/train-options.ts";

/** `graph` → `parts`: applies the split, cuts the graph and writes one folder per part. */
export const partitionStep = defineStep({
  name: "partition",
  version: 1,
  title: "Partition",
  summary: "Cuts the graph into parts that ranks own, and measures the cut.",
  options: partitionStepOptions,
  inputs: ["graph"],
  output: "parts",
  ranks: "one",
  reusable: true,
  run: async (context) => {
    const { runPartitionStep } = await import("../partition/run-partition-step.ts");
    return runPartitionStep(context);
  },
});
