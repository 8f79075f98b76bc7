import { componentChoice, mostNewNeighbors, type Registry } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { limits } from "../limits.ts";
import { jobSpec, resourceFields, resultOutputs } from "./job-spec.ts";
import { modelRef } from "./model-ref.ts";
import { requireDeviceForFeatures, resolveChoice, specError } from "./resolve-job-spec.ts";

/** What training alone asks for is not among them. */
const inferResources = resourceFields
  .omit({ samplers: true, samplerThreads: true, remoteCache: true })
  .superRefine(({ ranks, minRanks, hosts }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (minRanks > ranks) refuse("minRanks", `${minRanks} is more than the ${ranks} ranks of the job`);
    if (hosts !== "auto" && hosts > ranks) refuse("hosts", `${hosts} hosts need as many ranks; the job has ${ranks}`);
  });

const inferOutputs = resultOutputs.extend({
  newNeighbors: mostNewNeighbors
    .optional()
    .describe(
      "Likeliest new neighbours of every node that the results of a model of links list; left out: as many as its training listed, which is none of a trial of a search",
    ),
});

/** A job that applies a model to a dataset version. */
export const inferSpec = z.strictObject({
  version: z.literal(1),
  kind: z.literal("infer").describe("Partition, infer and export"),
  name: z.string().max(limits.jobNameLength).default("").describe("Shown in lists"),
  project: jobSpec.shape.project,
  tags: jobSpec.shape.tags,
  model: modelRef,
  dataset: jobSpec.shape.dataset,
  partition: componentChoice("metis"),
  resources: inferResources.prefault({}),
  outputs: inferOutputs.prefault({}),
  priority: jobSpec.shape.priority,
});
export type InferSpec = z.infer<typeof inferSpec>;
export type InferSpecInput = z.input<typeof inferSpec>;

/** Whether somebody means to apply a model, however wrong the rest is. */
export function isInferSpec(input: unknown): boolean {
  return typeof input === "object" && input !== null && "kind" in input && input.kind === "infer";
}

/**
 * The whole spec with every default filled in and every component's options checked by its own schema.
 *
 * @throws AppError JOB_SPEC_INVALID with the JSON pointer of the first thing wrong
 */
export function resolveInferSpec(input: unknown, registry: Registry): InferSpec {
  const parsed = inferSpec.safeParse(input);
  if (!parsed.success) throw specError(parsed.error, []);
  const spec = parsed.data;
  requireDeviceForFeatures(spec.resources);
  const steps = spec.outputs.steps.map((step, i) => resolveChoice(step, registry, "step", ["outputs", "steps", i]));
  return {
    ...spec,
    partition: resolveChoice(spec.partition, registry, "partitioner", ["partition"]),
    outputs: { ...spec.outputs, steps },
  };
}
