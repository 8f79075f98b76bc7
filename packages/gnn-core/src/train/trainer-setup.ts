import type { z } from "zod";
import type { Registry } from "../components/registry.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { type SharedRows, sharedRowsInMemory } from "../dist/shared-rows.ts";
import { soloRank } from "../dist/solo-rank.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { metricObjection } from "../spec/check-metric.ts";
import { loadRegistry } from "../spec/index.ts";
import { type TrainStepOptions, trainStepOptions } from "../spec/train-options.ts";

/** Options of a `train` step; without a label column of its own, data in memory needs no `task.target`. */
export type TrainerOptions = Omit<z.input<typeof trainStepOptions>, "task"> & {
  readonly task?: WithoutTarget<z.input<typeof trainStepOptions>["task"]>;
};

/** Each kind of task, with the target optional */
type WithoutTarget<T> = T extends { target: infer Target } ? Omit<T, "target"> & { target?: Target } : never;

export interface TrainerSetup {
  readonly data: TrainingData;
  readonly options?: TrainerOptions;
  /** Default: the only rank, with `threads` */
  readonly rank?: RankContext;
  /** Threads of the native kernels without a `rank` of its own. Default: all cores */
  readonly threads?: number;
  /** Default: the built-in components */
  readonly registry?: Registry;
  /**
   * Draws the batches of training instead of this process: `remoteSampler` of processes that serve what the options'
   * sampler draws from the same graph. Default: made from the options
   */
  readonly sampler?: Sampler | null;
  /** Memory for the hidden rows of evaluations. Default: that of this process, which holds for one rank only */
  readonly sharedRows?: SharedRows;
  /** Digest of the data, so that a checkpoint of other data is refused */
  readonly dataDigest?: string;
}

/** A setup with nothing left open. */
export type ResolvedSetup = Required<Omit<TrainerSetup, "options" | "threads">> & {
  readonly options: TrainStepOptions;
};

/** @throws GnnError SPEC_INVALID with the place of the option that is wrong, or when several ranks lack `sharedRows` */
export async function resolveSetup(setup: TrainerSetup): Promise<ResolvedSetup> {
  const rank = setup.rank ?? soloRank(setup.threads);
  if (rank.worldSize > 1 && !setup.sharedRows) {
    throw new GnnError(
      "SPEC_INVALID",
      "Several ranks need sharedRows that all of them see; pass sharedRowsIn(folder).",
    );
  }
  return {
    data: setup.data,
    options: parseOptions(setup.options ?? {}),
    rank,
    registry: setup.registry ?? (await loadRegistry()),
    sampler: setup.sampler ?? null,
    sharedRows: setup.sharedRows ?? sharedRowsInMemory(),
    dataDigest: setup.dataDigest ?? "",
  };
}

function parseOptions({ task, ...sections }: TrainerOptions): TrainStepOptions {
  const parsed = trainStepOptions.safeParse({ ...sections, task: { target: "label", ...task } });
  if (parsed.success) {
    const objection = metricObjection(parsed.data.task, parsed.data.train.earlyStopping);
    if (objection === null) return parsed.data;
    throw refused("/train/earlyStopping/metric", objection);
  }
  const [issue] = parsed.error.issues;
  throw refused(`/${(issue?.path ?? []).join("/")}`, String(issue?.message), parsed.error);
}

function refused(pointer: string, message: string, cause?: unknown): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${message}`, { cause, place: { pointer } });
}
