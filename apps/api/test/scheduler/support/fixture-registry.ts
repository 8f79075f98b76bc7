import {
  defineModel,
  definePartitioner,
  defineSampler,
  defineStep,
  loadRegistry,
  Registry,
  trainStepOptions,
} from "@hopwise/gnn-core/spec";
import { z } from "zod";

const never = () => Promise.reject(new Error("This component only plans; no test runs it."));
const base = { version: 1, title: "", summary: "" };

interface StepFacts {
  readonly inputs: readonly string[];
  readonly output: string;
  readonly ranks?: "one" | "all";
  readonly reusable?: boolean;
  readonly options?: z.ZodType;
  readonly createSampler?: typeof never;
}

const steps: Record<string, StepFacts> = {
  map: { inputs: ["files"], output: "preview" },
  ingest: { inputs: ["files"], output: "graph", reusable: true },
  partition: { inputs: ["graph"], output: "parts", reusable: true },
  train: { inputs: ["parts"], output: "model", ranks: "all", options: trainStepOptions, createSampler: never },
  infer: { inputs: ["parts", "model"], output: "inferred", ranks: "all" },
  remap: { inputs: ["graph", "parts", "inferred"], output: "remapped" },
  project: { inputs: ["graph", "remapped"], output: "projection" },
  export: { inputs: ["graph", "remapped"], output: "exports" },
  audit: { inputs: ["exports"], output: "report", options: z.strictObject({ depth: z.number().int().default(3) }) },
};

/** What a task says of a spec and a dataset needs no engine either. */
const tasks = (await loadRegistry()).list("task");

/** The step names and seams of the engine without the engine: what planning and scheduling read. */
export function fixtureRegistry(): Registry {
  const registry = new Registry();
  for (const task of tasks) registry.add(task);
  registry.add(
    definePartitioner({ ...base, name: "metis", options: z.looseObject({}), peakBytes: () => 0, assign: never }),
  );
  registry.add(
    defineModel({
      ...base,
      name: "sage",
      options: z.looseObject({}),
      numHops: ({ numLayers = 2 }) => Number(numLayers),
      numParameters: () => 0,
      create: () => {
        throw new Error("This model only plans; no test builds it.");
      },
    }),
  );
  registry.add(
    defineSampler({
      ...base,
      name: "neighbor",
      options: z.looseObject({}),
      rowsPerSeed: () => 0,
      create: never,
    }),
  );
  registry.add(
    defineSampler({
      ...base,
      name: "clusterGcn",
      options: z.looseObject({}),
      plansEpochs: true,
      rowsPerSeed: () => 0,
      create: never,
    }),
  );
  for (const [name, { ranks = "one", options = z.looseObject({}), ...facts }] of Object.entries(steps)) {
    registry.add(defineStep({ ...base, name, ranks, options, ...facts, run: never }));
  }
  return registry;
}

export function componentsOf(registry: Registry): string[] {
  return registry.list("step").map((step) => `step:${step.name}@${step.version}`);
}
