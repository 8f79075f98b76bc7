import type { SweepAnswer, SweepDetails } from "@hopwise/contracts";
import { specOf } from "../../database/stored-json.ts";
import { gridOf, seedsOf } from "../../sweeps/settings.ts";
import { directionOf, type ShownSweep, type SummedSweep, shownSearch } from "../../sweeps/sweep-queries.ts";
import { isoOrNull } from "./times.ts";

export function presentSweep(sweep: ShownSweep): SweepAnswer {
  const { id, projectId, createdBy, name, dataset, datasetName, numSettings, counts } = sweep;
  return {
    id,
    projectId,
    createdBy,
    name,
    dataset,
    datasetName,
    numSettings,
    counts,
    createdAt: sweep.createdAt.toISOString(),
    finishedAt: isoOrNull(sweep.finishedAt),
  };
}

export function presentSummedSweep({ sweep, settings, best }: SummedSweep): SweepDetails {
  return {
    ...presentSweep(sweep),
    spec: specOf(sweep),
    grid: gridOf(sweep),
    seeds: seedsOf(sweep),
    metric: sweep.chiefMetric,
    direction: directionOf(sweep),
    search: shownSearch(sweep),
    settings: settings.map(({ trials, ...setting }) => ({
      ...setting,
      trials: trials.map(({ id, seed, state, validation, result }) => {
        return { jobId: id, seed: seed ?? 0, state, validation, test: result };
      }),
    })),
    best,
  };
}
