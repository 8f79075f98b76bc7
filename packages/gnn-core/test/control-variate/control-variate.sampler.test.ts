import { expect, test } from "vitest";
import { controlVariateSampler } from "../../src/control-variate/control-variate.sampler.ts";
import { gat } from "../../src/models/gat.model.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { samplerSuite } from "../conformance/sampler.suite.ts";

// A model of three hops draws two: its first sum is known.
samplerSuite({
  name: "controlVariate [1] for three layers",
  numHops: 2,
  create: (context) =>
    controlVariateSampler.create(controlVariateSampler.options.parse({}), { ...context, numHops: 3 }),
  expectedPicks: (degree) => Math.min(degree, 1),
  importance: "normalised",
  replace: false,
});

test("draws at least one neighbour", () => {
  expect(controlVariateSampler.options.safeParse({ numNeighbors: 0 }).success).toBe(false);
  expect(controlVariateSampler.options.parse({}).numNeighbors).toBe(1);
});

test.each([
  ["gcn", {}, null],
  ["gcn", { residual: true }, /"gcn" do not begin with one/],
  ["gcn", { norm: "batch" }, /"gcn"/],
  ["sage", {}, null],
  ["sage", { residual: true, norm: "layer" }, null],
  ["sage", { aggregator: "pool" }, /"sage"/],
  ["gat", {}, /choose gcn, or sage with the mean aggregator/],
] as const)("of %s with %j says what is wrong", (model, options, expected) => {
  const component = { gcn, sage, gat }[model];
  const { name, aggregation } = component;
  const chosen = (aggregation as ((options: object) => "mean" | "gcn" | null) | undefined)?.(
    component.options.parse(options),
  );
  const objection = controlVariateSampler.check!({ numNeighbors: 1 }, 2, { name, aggregation: chosen ?? null });
  if (expected === null) expect(objection).toBeNull();
  else expect(objection).toMatchObject({ option: null, message: expect.stringMatching(expected) });
});
