import { scaleTime } from "../../packages/gnn-core/src/estimate/index.ts";
import type { Measured } from "./measure.ts";

/** How far the estimate of a job was off after a history of other jobs. */
export interface Outcome {
  readonly job: string;
  readonly history: string;
  readonly estimated: number;
  readonly seconds: number;
  /** The larger over the smaller: 1 is exact. */
  readonly factor: number;
}

/** Every job after every history: what the service would have said of it, had just these jobs run before. */
export function replay(jobs: readonly Measured[]): Outcome[] {
  return jobs.flatMap((job) =>
    historiesFor(job, jobs).map(({ name, jobs: before }) => {
      const { overhead, work } = scaleTime(before, job);
      const estimated = job.overheadSeconds * overhead + job.workSeconds * work;
      const factor = Math.max(estimated / job.seconds, job.seconds / estimated);
      return { job: job.name, history: name, estimated, seconds: job.seconds, factor };
    }),
  );
}

interface History {
  readonly name: string;
  readonly jobs: readonly Measured[];
}

/**
 * Nothing; each job of the same model once, five times and twenty times; all of them; the smaller ones and the larger
 * ones alone. As the service does, a history holds jobs of the same model alone, twenty at most. A model that only one
 * job trains is asked about after all other jobs too, as if they had been of that model.
 */
function historiesFor(job: Measured, all: readonly Measured[]): History[] {
  const alike = all.filter((other) => other.model === job.model);
  const others = (alike.length > 1 ? alike : all).filter((other) => other !== job);
  const smaller = others.filter(({ seconds }) => seconds < job.seconds);
  const larger = others.filter(({ seconds }) => seconds >= job.seconds);
  const repeated = [job, ...others].flatMap((other) =>
    [1, 5, 20].map((times) => ({ name: `${times} × ${other.name}`, jobs: Array<Measured>(times).fill(other) })),
  );
  return [
    { name: "nothing", jobs: [] },
    ...repeated,
    { name: "all others", jobs: others },
    { name: "the smaller ones", jobs: smaller },
    { name: "the larger ones", jobs: larger },
  ];
}
