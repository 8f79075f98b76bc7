import type { JobEstimateAnswer, StageForecast } from "@hopwise/contracts";
import { estimateJob } from "../../jobs/estimate-job.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";

const EstimateLineType = builder.objectRef<JobEstimateAnswer["explanation"][number]>("EstimateLine").implement({
  fields: (t) => ({
    of: t.exposeString("of", {
      description:
        "memory (of a rank), samplerMemory (of a sampler process), deviceMemory (of a rank's device), partitionMemory (before the ranks start), disk, timeOverhead (start and steps of training whatever their size), time (of its work), stageOverhead or stageTime (the same of the other stages)",
    }),
    what: t.exposeString("what"),
    amount: t.exposeFloat("amount", { description: "Bytes, or seconds for time" }),
  }),
});

const StageFateEnum = builder.enumType("StageFate", {
  values: {
    REUSED: { value: "reused", description: "What an equal step made is taken" },
    CONTINUED: { value: "continued", description: "Training goes on from the checkpoint" },
    ANEW: { value: "anew", description: "It runs, unless what it reads comes out to the bit as it was" },
  } as const,
});

const StageForecastType = builder.objectRef<StageForecast>("StageForecast").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "Name of the step component" }),
    fate: t.expose("fate", { type: StageFateEnum }),
    epoch: t.exposeInt("epoch", { nullable: true, description: "Epoch of the checkpoint that it goes on from" }),
  }),
});

export const EstimateType = builder.objectRef<JobEstimateAnswer>("Estimate").implement({
  description: "Predicted before a job is queued, from the graph's counts and the components' own formulas",
  fields: (t) => ({
    fits: t.exposeBoolean("fits", {
      description: "Whether some online worker can hold it; true when none is online yet",
    }),
    ranks: t.exposeInt("ranks"),
    memoryBytesPerRank: t.expose("memoryBytesPerRank", { type: "SafeInt" }),
    memoryBytesPerSampler: t.expose("memoryBytesPerSampler", {
      type: "SafeInt",
      description: "Memory of each process that draws batches for the ranks; 0 when there are none",
    }),
    deviceBytesPerRank: t.expose("deviceBytesPerRank", {
      type: "SafeInt",
      description: "What each rank needs of the memory of a device of its own; 0 when it computes on a CPU",
    }),
    memoryBytes: t.expose("memoryBytes", {
      type: "SafeInt",
      description: "Peak of all ranks and sampler processes on one host, or of partitioning when that is more",
    }),
    diskBytes: t.expose("diskBytes", { type: "SafeInt" }),
    seconds: t.exposeFloat("seconds", {
      nullable: true,
      description: "An estimate, scaled by what earlier jobs here took; null when there is nothing to go by",
    }),
    notes: t.stringList({ resolve: (estimate) => [...estimate.notes] }),
    warnings: t.stringList({
      description: "What of the dataset the job will leave aside, such as columns that no model reads",
      resolve: (estimate) => [...estimate.warnings],
    }),
    stages: t.field({
      type: [StageForecastType],
      description: "In order: which are reused, and which run. Empty for older jobs",
      resolve: (estimate) => [...estimate.stages],
    }),
    explanation: t.field({ type: [EstimateLineType], resolve: (estimate) => [...estimate.explanation] }),
  }),
});

builder.queryFields((t) => ({
  estimateJob: t.field({
    type: EstimateType,
    complexity: costs.estimate,
    args: { spec: t.arg({ type: "JobSpecInput", required: true }) },
    resolve: (_root, { spec }, { services, viewer }) => estimateJob(services, viewer, spec),
  }),
}));
