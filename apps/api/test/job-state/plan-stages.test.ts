import { AppError, type JobSpecInput, resolveJobSpec } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { planExport, planIngest, planMap, planStages } from "../../src/job-state/plan-stages.ts";
import { fixtureRegistry } from "../scheduler/support/fixture-registry.ts";

const registry = fixtureRegistry();

function plan(extra: Partial<JobSpecInput> = {}) {
  const spec = { version: 1, kind: "train", dataset: "ds_1@1", task: { target: "label" }, ...extra };
  return planStages(resolveJobSpec(spec, registry), registry);
}

function problemOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.problem;
  }
  return null;
}

describe("the stages of a training job", () => {
  it("run in the order of the architecture, with all ranks where the step wants them", () => {
    const stages = plan({ resources: { ranks: 2 } });
    expect(stages.map(({ step, output, ranks }) => [step, output, ranks])).toEqual([
      ["partition", "parts", 1],
      ["train", "model", 2],
      ["infer", "inferred", 2],
      ["remap", "remapped", 1],
      ["project", "projection", 1],
      ["export", "exports", 1],
    ]);
  });

  it("cut the graph into one part per rank when the number of parts is left to us", () => {
    const parts = (numParts: number) => ({ partition: { options: { numParts } } });
    expect(plan({ resources: { ranks: 3 } })[0]?.options).toMatchObject(parts(3));
    const partition = { type: "metis", options: { numParts: "auto" } };
    expect(plan({ resources: { ranks: 2 }, partition })[0]?.options).toMatchObject(parts(2));
    expect(plan({ partition: { type: "metis", options: { numParts: 8 } } })[0]?.options).toMatchObject(parts(8));
  });

  it("hand each section of the spec to the step that reads it", () => {
    const [partition, train] = plan({
      split: { type: "random" },
      train: { epochs: 7 },
      resources: { samplerThreads: 2 },
    });
    expect(partition?.options).toMatchObject({ split: { type: "random", train: 0.6 } });
    expect(train?.options).toMatchObject({
      task: { target: "label" },
      train: { epochs: 7, batchSize: 1024 },
      model: { type: "sage" },
      sampling: { type: "neighbor" },
      samplerThreads: 2,
    });
  });

  it("say where features lie to the steps that compute, and nothing where these choose", () => {
    const asked = plan({ resources: { device: "cuda", features: "pinned" } });
    for (const step of ["train", "infer"]) {
      expect(asked.find((stage) => stage.step === step)?.options).toHaveProperty("featurePlacement", "pinned");
      expect(plan().find((stage) => stage.step === step)?.options).not.toHaveProperty("featurePlacement");
    }
  });

  it("end with the further steps of the spec, their defaults filled in", () => {
    const last = plan({ outputs: { steps: [{ type: "audit" }] } }).at(-1);
    expect(last).toEqual({ step: "audit", options: { depth: 3 }, inputs: ["exports"], output: "report", ranks: 1 });
  });

  it("are refused with the place when a further step does not take its options", () => {
    const problem = problemOf(() => plan({ outputs: { steps: [{ type: "audit", options: { depth: "deep" } }] } }));
    expect(problem).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: expect.stringContaining("/outputs/steps/0") });
  });

  it("are refused when a step reads what nothing makes", () => {
    const problem = problemOf(() => planExport({ embeddings: [], predictions: [] }, registryWithImpossibleExport()));
    expect(problem).toMatchObject({ code: "JOB_SPEC_INVALID", detail: expect.stringContaining("nothing-makes-this") });
  });
});

describe("sampler processes", () => {
  it.each([
    ["ranks hold a part each", { resources: { samplers: 1, graph: "partitioned" as const } }],
    [
      "the model reads no neighbours",
      { resources: { samplers: 1 }, model: { type: "sage", options: { numLayers: 0 } } },
    ],
    ["the sampler plans whole epochs", { resources: { samplers: 1 }, sampling: { type: "clusterGcn" } }],
  ])("are refused where %s", (_why, extra) => {
    expect(problemOf(() => plan(extra))).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/resources/samplers" });
  });

  it("may be on hosts of their own, but there are no more hosts than processes", () => {
    expect(problemOf(() => plan({ resources: { ranks: 1, samplers: 1, hosts: 2 } }))).toBeNull();
    const problem = problemOf(() => plan({ resources: { ranks: 1, samplers: 1, hosts: 3 } }));
    expect(problem).toMatchObject({ pointer: "/resources/hosts", detail: expect.stringContaining("the job has 2") });
  });
});

describe("the service's own jobs", () => {
  it("have one stage each", () => {
    expect(planMap({}, registry).map(({ step }) => step)).toEqual(["map"]);
    expect(planExport({ embeddings: ["csv"], predictions: [] }, registry)).toMatchObject([
      { step: "export", options: { embeddings: { formats: ["csv"] } } },
    ]);
  });

  it("hand the dataset spec to the ingest step as it is", () => {
    const spec = { version: 1 as const, edges: { files: ["e.csv"], src: "a", dst: "b" } };
    expect(planIngest(spec as unknown as Parameters<typeof planIngest>[0], registry)[0]?.options).toEqual(spec);
  });
});

function registryWithImpossibleExport() {
  const changed = fixtureRegistry();
  const step = changed.get("step", "export") as { inputs: readonly string[] };
  step.inputs = ["nothing-makes-this"];
  return changed;
}
