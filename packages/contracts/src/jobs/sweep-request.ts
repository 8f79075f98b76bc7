import { z } from "zod";
import { limits } from "../limits.ts";

/** Sections of a job spec that settings may differ in: not what says whose a job is, or what is made of it. */
export const sweptSections = [
  "task",
  "split",
  "features",
  "partition",
  "model",
  "sampling",
  "train",
  "resources",
] as const;

const fieldPath = /^[A-Za-z][\w-]*(\.[A-Za-z0-9][\w-]*)*$/;

/** Why a grid cannot vary the field at a path; null: it can. */
function pathObjection(path: string, paths: readonly string[]): string | null {
  if (!fieldPath.test(path)) return "expected the path of a field, such as train.optimizer.options.lr";
  if (!(sweptSections as readonly string[]).includes(path.split(".")[0] ?? ""))
    return `settings differ in ${sweptSections.join(", ")}`;
  if (path === "train.seed") return "seeds have a list of their own";
  const above = paths.find((other) => path.startsWith(`${other}.`));
  return above === undefined ? null : `"${above}" is in the grid, too, and holds this field; name one of them`;
}

const seed = z
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);

/** Model and settings are to be found within a time. */
export const autoRequest = z
  .strictObject({
    budget: z.iso
      .duration()
      .default("PT10M")
      .describe("ISO 8601, such as PT10M: how long trials may run, one beside the other"),
    metric: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe(
        "Figure of the task on the validation set that trials are chosen by, such as rocAuc; left out: its own",
      ),
  })
  .meta({ id: "AutoRequest" });
export type AutoRequest = z.infer<typeof autoRequest>;

/** Training jobs that are submitted as one: every setting of a grid with every seed. */
export const sweepRequest = z
  .strictObject({
    name: z
      .string()
      .max(limits.jobNameLength)
      .default("")
      .describe("Name of the sweep, and the beginning of its jobs' names"),
    spec: z
      .record(z.string(), z.unknown())
      .describe("The job spec that the settings are laid over: GET /v1/schemas/job-spec.json"),
    grid: z
      .record(z.string().max(200), z.array(z.unknown()).min(1))
      .default({})
      .describe("Values by the path of a field, such as train.optimizer.options.lr: every combination is a setting"),
    seeds: z
      .array(seed)
      .min(1)
      .refine((seeds) => new Set(seeds).size === seeds.length, { message: "a seed is named twice" })
      .optional()
      .describe("Each setting is trained once with each; left out: with the seed of the spec"),
    auto: autoRequest
      .optional()
      .describe("In place of a grid and seeds: models and settings are tried and chosen by the validation set"),
  })
  .superRefine(({ grid, seeds, auto }, context) => {
    if (auto && (seeds || Object.keys(grid).length > 0)) {
      const message = "a search chooses settings and seeds itself; leave out grid and seeds, or auto";
      context.addIssue({ code: "custom", path: ["auto"], message });
    }
    const numJobs = Object.values(grid).reduce((product, values) => product * values.length, seeds?.length ?? 1);
    if (numJobs > limits.sweepJobs) {
      const message = `the grid and the seeds come to ${numJobs} jobs; a sweep has ${limits.sweepJobs} at most`;
      context.addIssue({ code: "custom", path: ["grid"], message });
    }
    const paths = Object.keys(grid);
    for (const path of paths) {
      const message = pathObjection(path, paths);
      if (message !== null) context.addIssue({ code: "custom", path: ["grid", path], message });
    }
  })
  .meta({ id: "SweepRequest" });
export type SweepRequest = z.infer<typeof sweepRequest>;
