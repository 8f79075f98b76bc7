/**
 * How far is the estimated time of a job from what it took, whatever jobs ran before?
 *
 * Figure: the worst factor (the larger of estimate and truth over the smaller) over 20 jobs, each after some dozens of
 * histories. The jobs are run once, one after the other, in a stack of real processes; the histories are made from
 * their times and put through the function that the service itself asks. Ceiling: 1, an estimate that is exact.
 *
 *   ours.ts [--small] [--keep FILE] [--replay FILE]
 *
 *   --keep    writes what was measured to a file, with the seconds of every stage
 *   --replay  reads it instead of running the jobs
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { cases, fewCases } from "./cases.ts";
import { measure } from "./measure.ts";
import { replay } from "./replay.ts";

const { values } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    keep: { type: "string" },
    replay: { type: "string" },
  },
});

const { jobs, afterwards } = values.replay
  ? (JSON.parse(await readFile(values.replay, "utf8")) as Awaited<ReturnType<typeof measure>>)
  : await measure(values.small ? fewCases : cases);
if (values.keep) await writeFile(values.keep, JSON.stringify({ jobs, afterwards }, null, 1));

const round = (value: number) => Number(value.toPrecision(3));
const outcomes = replay(jobs);
const sorted = outcomes.toSorted((a, b) => b.factor - a.factor);
const factorOf = (name: string, history: string) =>
  round(outcomes.find((outcome) => outcome.job === name && outcome.history === history)!.factor);

console.log(
  JSON.stringify({
    topic: "estimate",
    figure: round(sorted[0]!.factor),
    unit: "times too much or too little, at worst",
    better: "lower",
    ceiling: 1,
    details: {
      jobs: Object.fromEntries(
        jobs.map(({ name, seconds, overheadSeconds, workSeconds }, i) => [
          name,
          {
            seconds: round(seconds),
            byFormula: round(overheadSeconds + workSeconds),
            afterAllJobs: round(afterwards[i]!),
            factorByFormula: factorOf(name, "nothing"),
            worstFactor: round(Math.max(...outcomes.filter(({ job }) => job === name).map(({ factor }) => factor))),
          },
        ]),
      ),
      replayed: outcomes.length,
      medianFactor: round(sorted[Math.floor(sorted.length / 2)]!.factor),
      above2: outcomes.filter(({ factor }) => factor > 2).length,
      worst: sorted.slice(0, 5).map(({ job, history, estimated, seconds }) => ({
        job,
        history,
        estimated: round(estimated),
        seconds: round(seconds),
      })),
    },
  }),
);
