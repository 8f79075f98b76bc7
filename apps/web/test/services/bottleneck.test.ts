import { expect, test } from "vitest";
import { bottleneckOf, bottleneckOfJob, newestRanks } from "../../src/services/bottleneck.ts";
import { emptyJob } from "../support/job-fixture.ts";

type Rank = (typeof emptyJob.ranks)[number];

/** A rank whose step has 10 ms of arithmetic and these parts beside. */
function rank(parts: { wait: number; sample: number; gather: number }, remote = 0): Rank {
  const [row] = emptyJob.ranks as [Rank];
  const breakdown = { forward: 4, backward: 4, allReduce: 1, optimizer: 1, ...parts };
  return { ...row, breakdown, localRows: 100 - remote, remoteRows: remote };
}

test("ranks that wait for less than half of a step compute", () => {
  expect(bottleneckOf([rank({ wait: 9, sample: 30, gather: 30 })])).toBeNull();
  expect(bottleneckOf([])).toBeNull();
  expect(bottleneckOf(emptyJob.ranks)).toBeNull();
});

test("who waits mostly for rows is stalled on features, and hears where they lie", () => {
  const near = bottleneckOf([rank({ wait: 30, sample: 5, gather: 40 })]);
  expect(near?.title).toBe("The training is stalled on reading features");
  expect(near?.detail).toContain("75 % of a step");
  expect(near?.detail).toContain("more memory");
  expect(bottleneckOf([rank({ wait: 30, sample: 5, gather: 40 }, 60)])?.detail).toContain("remoteCache");
});

test("who waits mostly for neighbours hears of fanouts", () => {
  const found = bottleneckOf([rank({ wait: 30, sample: 40, gather: 5 })]);
  expect(found?.title).toBe("The training is stalled on drawing neighbours");
  expect(found?.detail).toContain("fanouts");
});

test("a notice is worth a minute of training, and speaks of the newest attempt alone", () => {
  const waiting = rank({ wait: 30, sample: 40, gather: 5 });
  const ranks = [waiting, { ...rank({ wait: 0, sample: 1, gather: 1 }), attempt: waiting.attempt - 1 }];
  const loss = (lastMs: number) => ({
    name: "train/loss",
    axis: "epoch",
    steps: [1, 2],
    values: [1, 1],
    times: [0, lastMs],
  });
  expect(bottleneckOfJob({ ranks, series: [loss(59_000)] })).toBeNull();
  expect(bottleneckOfJob({ ranks, series: [loss(60_000)] })?.detail).toContain("75 %");
  expect(newestRanks(ranks)).toEqual([waiting]);
});
