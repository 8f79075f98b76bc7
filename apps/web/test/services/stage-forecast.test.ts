import { expect, test } from "vitest";
import { forecastLines, type StageForecast } from "../../src/services/stage-forecast.ts";

const stage = (kind: string, fate: StageForecast["fate"], epoch: number | null = null) => ({ kind, fate, epoch });

test("what is reused, goes on and runs is told by name, and nothing where every stage runs", () => {
  const rest = ["infer", "remap"].map((kind) => stage(kind, "ANEW"));
  expect(forecastLines([stage("partition", "REUSED"), stage("train", "CONTINUED", 25), ...rest])).toEqual([
    { title: "Reused", stages: ["partition"] },
    { title: "Goes on after epoch 25", stages: ["train"] },
    { title: "Runs", stages: ["infer", "remap"] },
  ]);
  expect(forecastLines([stage("partition", "REUSED"), stage("train", "ANEW"), ...rest])).toEqual([
    { title: "Reused", stages: ["partition"] },
    { title: "Runs", stages: ["train", "infer", "remap"] },
  ]);
  expect(forecastLines([stage("partition", "ANEW"), stage("train", "ANEW"), ...rest])).toEqual([]);
});
