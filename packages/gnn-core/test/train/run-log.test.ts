import { expect, test } from "vitest";
import type { StepEvent } from "../../src/spec/index.ts";
import { RunLog } from "../../src/train/run-log.ts";

function epochsTold(numEpochs: number): unknown[] {
  const events: StepEvent[] = [];
  const log = new RunLog(0, numEpochs, (event) => events.push(event));
  for (let epoch = 1; epoch <= numEpochs; epoch++) log.epoch(epoch, { "train/loss": 1 });
  return events.map((event) => (event.type === "log" ? event.fields?.["epoch"] : null));
}

test("every epoch of a run of 200 has its line", () => {
  expect(epochsTold(200)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test("a longer run is thinned to about a hundred lines with the first and the last epoch", () => {
  const told = epochsTold(1001);
  expect(told.slice(0, 4)).toEqual([1, 11, 22, 33]);
  expect(told.at(-1)).toBe(1001);
  expect(told.length).toBeLessThan(103);
});

test("ranks above 0 say nothing", () => {
  const events: StepEvent[] = [];
  const log = new RunLog(1, 5, (event) => events.push(event));
  log.info("Training started", {});
  log.warn("nobody hears this");
  expect(events).toEqual([]);
});
