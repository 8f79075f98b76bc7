import { useState } from "react";
import type { ListedJob } from "./use-jobs.ts";

export interface ChosenJobsState {
  /** As the list last showed them */
  readonly jobs: readonly ListedJob[];
  readonly has: (id: string) => boolean;
  readonly choose: (job: ListedJob, isChosen: boolean) => void;
  readonly clear: () => void;
}

/** Jobs that were ticked in their list. They stay so while it is filtered or sorted otherwise. */
export function useChosenJobs(listed: readonly ListedJob[]): ChosenJobsState {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedJob>>(new Map());
  const choose = (job: ListedJob, isChosen: boolean) => {
    const next = new Map(chosen);
    if (isChosen) next.set(job.id, job);
    else next.delete(job.id);
    setChosen(next);
  };
  const jobs = [...chosen.values()].map((job) => listed.find(({ id }) => id === job.id) ?? job);
  return { jobs, has: (id) => chosen.has(id), choose, clear: () => setChosen(new Map()) };
}
