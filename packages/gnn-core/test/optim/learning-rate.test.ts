import { expect, test } from "vitest";
import { learningRateFactor } from "../../src/optim/learning-rate.ts";
import { type ScheduleOptions, scheduleOptions } from "../../src/spec/train-options.ts";

function factors(schedule: Partial<ScheduleOptions>, numEpochs: number): number[] {
  const parsed = scheduleOptions.parse(schedule);
  return Array.from({ length: numEpochs }, (_, i) => learningRateFactor(parsed, i + 1, numEpochs));
}

function expectFactors(schedule: Partial<ScheduleOptions>, expected: readonly number[]) {
  for (const [i, factor] of factors(schedule, expected.length).entries()) expect(factor).toBeCloseTo(expected[i]!, 12);
}

test("constant stays", () => expectFactors({ type: "constant" }, [1, 1, 1]));

test("cosine falls along half a wave, to what is left at the end", () => {
  expectFactors({ type: "cosine" }, [1, (1 + Math.SQRT1_2) / 2, 0.5, (1 - Math.SQRT1_2) / 2]);
  expectFactors({ type: "cosine", finalFactor: 0.2 }, [1, 0.6]);
});

test("step multiplies by gamma every so many epochs", () =>
  expectFactors({ type: "step", everyEpochs: 2, gamma: 0.5 }, [1, 1, 0.5, 0.5, 0.25]));

test("warm-up rises evenly, then the schedule runs over what remains", () => {
  expectFactors({ type: "constant", warmupEpochs: 3 }, [0.25, 0.5, 0.75, 1, 1]);
  expectFactors({ type: "cosine", warmupEpochs: 1 }, [0.5, 1, 0.5]);
  expectFactors({ type: "step", warmupEpochs: 1, everyEpochs: 1, gamma: 0.1 }, [0.5, 1, 0.1]);
});
