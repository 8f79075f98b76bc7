import { expect } from "vitest";
import { selectBackend } from "../../../src/backends/select-backend.ts";
import { memory } from "../../../src/backends/tf.ts";
import { noFeatures } from "../../../src/features/no-features.ts";
import type { StepEvent } from "../../../src/spec/step-event.ts";
import { emulated } from "../../support/cuda-emulated.ts";
import { waitsOfSteps } from "../../support/waits-of-steps.ts";
import { communityData } from "./community-data.ts";
import { optionsOf, type RankRun, seriesOf, trainRanks } from "./train-ranks.ts";

type Rule = "sparseAdam" | "sparseAdagrad";

export const smallGraph = { numNodes: 60, numClasses: 3, dim: 4, numTrain: 30, numParts: 2 };

/** A training of rows beside the features of `smallGraph`, in steps of ten of its thirty training nodes. */
export function rowsOptions(rule: Rule, train: { epochs: number; [option: string]: unknown }, dropout = 0.2) {
  return optionsOf({
    model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout } },
    sampling: { type: "neighbor", options: { fanouts: [3, 2] } },
    train: { batchSize: 10, optimizer: { type: "adam", options: { lr: 0.02 } }, ...train },
    features: { embedding: { dim: 6, optimizer: { type: rule, options: { lr: 0.05 } } } },
  });
}

export function expectCloseRuns(found: RankRun, expected: RankRun): void {
  const losses = seriesOf(expected, "train/loss");
  for (const [epoch, loss] of seriesOf(found, "train/loss").entries()) {
    expect(Math.abs(loss / losses[epoch]! - 1)).toBeLessThan(1e-4);
  }
  for (const [i, value] of found.rows.entries()) expect(value).toBeCloseTo(expected.rows[i]!, 3);
}

/** What the log says of where the rows lie */
export const saidOfRows = (events: readonly StepEvent[]): string[] =>
  events.flatMap((event) => (event.type === "log" ? [event.message] : [])).filter((said) => /learned rows/.test(said));

/** Trains on the emulated device as on the CPU, and holds that no step waits and nothing is left behind. */
export async function expectNativesRows(rule: Rule, hasFeatures: boolean): Promise<void> {
  const graph = await communityData(smallGraph);
  const data = hasFeatures ? graph : { ...graph, features: noFeatures(smallGraph.numNodes) };
  const options = rowsOptions(rule, { epochs: 2, evaluate: { everyEpochs: 2 } });
  await selectBackend("native");
  const [native] = await trainRanks(data, options, 1);
  await selectBackend("cuda", emulated);
  const { numTensors } = memory();
  let device: RankRun | undefined;
  const seen = await waitsOfSteps(async () => {
    [device] = await trainRanks(data, options, 1);
  });
  expectCloseRuns(device!, native!);
  // Three steps of each epoch, each at its beginning
  expect(seen).toHaveLength(6);
  for (const first of [0, 3]) expect(seen[first + 2]).toBe(seen[first]);
  expect(memory().numTensors).toBe(numTensors);
  expect(saidOfRows(device!.events)).toEqual([
    "The learned rows and their optimizer's state lie in the device's memory",
  ]);
}
