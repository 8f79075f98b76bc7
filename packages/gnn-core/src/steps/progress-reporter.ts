import type { StepContext } from "../components/define-step.ts";
import { RankReporter } from "../train/rank-reporter.ts";
import { StepClock } from "../train/step-clock.ts";

/** Every rank's sign of life each half second; rank 0 also says how many of its nodes are done. */
export function progressReporter({ rank, onEvent }: StepContext): (completed: number, total: number) => void {
  const clock = new StepClock();
  const reporter = new RankReporter(rank, clock, { first: 0, count: 0 }, onEvent);
  return (completed, total) => {
    if (rank.rank === 0 && (clock.isDue || completed === total)) {
      onEvent({ type: "progress", phase: "infer", completed, total, unit: "rows" });
    }
    reporter.tick(0);
  };
}
