import { rankShare } from "../dist/rank-share.ts";
import type { StepEvent } from "../spec/step-event.ts";
import type { FitOptions } from "./fit-options.ts";
import { LeakAlarm } from "./leak-alarm.ts";
import type { Learning } from "./learning.ts";
import { RankReporter } from "./rank-reporter.ts";
import { RunLog } from "./run-log.ts";
import { StepClock } from "./step-clock.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";
import { TrainingEnd } from "./training-end.ts";

/** What one call of `fit` tells others by, and is stopped by. */
export interface FitRun {
  readonly signal: AbortSignal;
  readonly end: TrainingEnd;
  readonly onEvent: (event: StepEvent) => void;
  readonly checkpointDir: string | null;
  readonly clock: StepClock;
  readonly reporter: RankReporter;
  readonly log: RunLog;
  readonly leakAlarm: LeakAlarm;
}

export function startFit(
  { rank, data, options }: ResolvedSetup,
  fit: FitOptions,
  { hasValidation, seeds }: Pick<Learning, "hasValidation" | "seeds">,
): FitRun {
  const { signal = new AbortController().signal, onEvent = () => {}, checkpointDir = null } = fit;
  const end = new TrainingEnd(rank.collective, options.train.epochs, fit.endSignal);
  const clock = new StepClock();
  const log = new RunLog(rank.rank, options.train.epochs, onEvent);
  // When the feature columns of a node are kept, the learned ones are still asked for.
  const cachedSlots = options.features.embedding ? null : (data.features.cachedSlots ?? null);
  const own = { ...ownedNodes({ rank, data }), cachedSlots };
  const reporter = new RankReporter(rank, clock, own, onEvent);
  if (!hasValidation) {
    log.warn(`There are no validation ${seeds}: the last weights are kept and early stopping never ends the run.`);
  }
  return { signal, end, onEvent, checkpointDir, clock, reporter, log, leakAlarm: new LeakAlarm() };
}

/** The GlobalIds of the parts that lie with this rank: part p of k with rank ⌊p·ranks/k⌋. */
function ownedNodes({ rank, data }: Pick<ResolvedSetup, "rank" | "data">): { first: number; count: number } {
  const { parts, remote } = data.graph;
  if (remote) return remote.own;
  const { first, count } = rankShare(parts.length, rank);
  const owned = parts.slice(first, first + count);
  return {
    first: owned[0]?.firstNode ?? 0,
    count: owned.reduce((sum, part) => sum + part.numNodes, 0),
  };
}
