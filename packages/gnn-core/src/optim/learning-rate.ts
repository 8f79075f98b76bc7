import type { ScheduleOptions } from "../spec/train-options.ts";

/**
 * Learning rate of an epoch (from 1) as a multiple of the optimizer's own, constant within the epoch. The first W =
 * `warmupEpochs` epochs rise linearly, e/(W+1); the schedule then runs over the remaining T = numEpochs − W, with
 * t = e − 1 − W:
 *   constant  1
 *   cosine    f + (1 − f)·½(1 + cos(π·t/T)), f = `finalFactor` (Loshchilov and Hutter 2017, arXiv:1608.03983)
 *   step      gammaᵏ, k = ⌊t / everyEpochs⌋
 * A function of the epoch alone: a resumed run needs no state for it.
 */
export function learningRateFactor(schedule: ScheduleOptions, epoch: number, numEpochs: number): number {
  const { warmupEpochs } = schedule;
  if (epoch <= warmupEpochs) return epoch / (warmupEpochs + 1);
  const t = epoch - 1 - warmupEpochs;
  switch (schedule.type) {
    case "constant":
      return 1;
    case "cosine": {
      const { finalFactor } = schedule;
      return finalFactor + ((1 - finalFactor) * (1 + Math.cos((Math.PI * t) / (numEpochs - warmupEpochs)))) / 2;
    }
    default:
      return schedule.gamma ** Math.floor(t / schedule.everyEpochs);
  }
}
