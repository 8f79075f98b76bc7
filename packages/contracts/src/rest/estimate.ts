import { z } from "zod";

export const estimateLine = z.object({
  of: z
    .enum([
      "memory",
      "samplerMemory",
      "deviceMemory",
      "partitionMemory",
      "disk",
      "timeOverhead",
      "time",
      "stageOverhead",
      "stageTime",
    ])
    .describe(
      "memory of a rank, of a sampler process, of a rank's device, or of partitioning before the ranks start, disk, seconds of training for start and steps and for the work, the same of the other stages",
    ),
  what: z.string(),
  amount: z.number().describe("Bytes, or seconds"),
});

/** What becomes of a stage when the job is submitted now. */
export const stageForecast = z
  .object({
    kind: z.string().describe("Name of the step component"),
    fate: z
      .enum(["reused", "continued", "anew"])
      .describe(
        "reused: what an equal step made is taken; continued: training goes on from the checkpoint; anew: it runs, unless what it reads comes out to the bit as it was",
      ),
    epoch: z.number().int().nullable().describe("Epoch of the checkpoint that it goes on from"),
  })
  .meta({ id: "StageForecast" });
export type StageForecast = z.infer<typeof stageForecast>;

/** What a training job is predicted to need. */
export const jobEstimate = z
  .object({
    fits: z.boolean().describe("Whether some online worker can hold it; true when none is online yet"),
    ranks: z.number().int(),
    memoryBytesPerRank: z.number(),
    memoryBytesPerSampler: z
      .number()
      .default(0)
      .describe("Memory of each process that draws batches for the ranks; 0 when there are none"),
    deviceBytesPerRank: z
      .number()
      .default(0)
      .describe("What each rank needs of the memory of a device of its own; 0 when it computes on a CPU"),
    memoryBytes: z
      .number()
      .describe("Peak of all ranks and sampler processes on one host, or of partitioning when that is more"),
    diskBytes: z.number(),
    seconds: z
      .number()
      .nullable()
      .describe("From the first stage to the end, scaled by what earlier jobs took; null: there is nothing to go by"),
    notes: z.array(z.string()),
    warnings: z.array(z.string()).default([]).describe("What of the dataset the job will leave aside"),
    stages: z.array(stageForecast).default([]).describe("In order: which are reused, and which run"),
    explanation: z.array(estimateLine).describe("The terms it is the sum of"),
  })
  .meta({ id: "Estimate" });
export type JobEstimateAnswer = z.infer<typeof jobEstimate>;
