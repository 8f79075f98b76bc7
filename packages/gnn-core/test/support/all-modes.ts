import { expect } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { type RankStepOptions, runStepRanks } from "./run-step-ranks.ts";

/** What a training tells */
export interface Told {
  readonly losses: readonly number[];
  readonly metrics: Record<string, number>;
}

/** Runs the train step. */
export async function trainedOn(
  inputs: Record<string, ArtifactDir>,
  options: object,
  where: RankStepOptions = {},
): Promise<Told> {
  const events: StepEvent[] = [];
  const onEvent = (event: StepEvent) => void events.push(event);
  const model = await runStepRanks(trainStep, inputs, options, { ...where, onEvent });
  const losses = events.flatMap((event) => (event.type === "metrics" ? [event.values["train/loss"] ?? []].flat() : []));
  return { losses, metrics: model.manifest.info["metrics"] as Record<string, number> };
}

/** Loss curves and metrics to 1e-5 */
function expectAlike(found: Told, expected: Told): void {
  expect(found.losses).toHaveLength(expected.losses.length);
  for (const [epoch, loss] of found.losses.entries()) {
    expect(Math.abs(loss / expected.losses[epoch]! - 1)).toBeLessThan(1e-5);
  }
  expect(Object.keys(found.metrics)).toEqual(Object.keys(expected.metrics));
  for (const [name, value] of Object.entries(expected.metrics)) expect(found.metrics[name]).toBeCloseTo(value, 5);
}

/**
 * One rank, two, two with sampler processes, and two that hold a part of the graph each, on one host and on two, with
 * and without rows kept of each other: ranks of equal number by the same bits.
 *
 * @param samplers whether the model has neighbours that other processes can draw
 * @returns what the two tell that hold a part each
 */
export async function expectAlikeInAllModes(
  inputs: Record<string, ArtifactDir>,
  options: object,
  { samplers = true } = {},
): Promise<Told> {
  const one = await trainedOn(inputs, options, { worldSize: 1 });
  expect(new Set(one.losses).size).toBeGreaterThan(1);
  const two = await trainedOn(inputs, options);
  expectAlike(two, one);
  if (samplers) expect(await trainedOn(inputs, options, { samplers: 2 })).toEqual(two);
  const parted = { ...options, graph: "partitioned" };
  expectAlike(await trainedOn(inputs, parted, { worldSize: 1 }), one);
  const inParts = await trainedOn(inputs, parted);
  expect(inParts.losses).toEqual(two.losses);
  expectAlike(inParts, two);
  expect(await trainedOn(inputs, { ...parted, remoteCache: 0.5 }, { numHosts: 2 })).toEqual(inParts);
  return inParts;
}
