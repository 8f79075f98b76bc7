import { expect, it } from "vitest";
import { type FinishedTraining, timeScaleOf } from "../../src/jobs/time-scale.ts";

const job = (change: Partial<FinishedTraining>): FinishedTraining => ({
  formulaSeconds: 10,
  epochsAsked: 50,
  epochsRun: 50,
  trainSeconds: 20,
  ...change,
});

it("is what a job took over what the formula said", () => {
  expect(timeScaleOf([job({})])).toEqual({ factor: 2, numJobs: 1 });
});

it("counts the epochs that were run: one that stopped at half of them took half the formula's time", () => {
  expect(timeScaleOf([job({ epochsRun: 25 })])?.factor).toBe(20 / (10 / 2));
});

it("is the median, so that one job beside other work does not spoil it", () => {
  expect(timeScaleOf([job({}), job({ trainSeconds: 900 }), job({ trainSeconds: 30 })])?.factor).toBe(3);
  expect(timeScaleOf([job({}), job({ trainSeconds: 40 })])?.factor).toBe((2 + 4) / 2);
});

it("knows nothing without a job that has both figures", () => {
  expect(timeScaleOf([])).toBeNull();
  expect(timeScaleOf([job({ formulaSeconds: 0 }), job({ trainSeconds: 0 })])).toBeNull();
});
