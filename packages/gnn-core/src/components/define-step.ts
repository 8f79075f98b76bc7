import type { z } from "zod";
import type { RankContext } from "../dist/rank-context.ts";
import type { ReadingLimits } from "../io/limits/reading-limits.ts";
import type { ArtifactDir, Manifest, ManifestDraft } from "../io/manifest.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { StepEvent } from "../spec/step-event.ts";
import type { ComponentBase } from "./component.ts";
import type { Registry } from "./registry.ts";

/** What a running step may touch. Nothing else is shared between runs. */
export interface StepContext<O = unknown> {
  readonly options: O;
  /** Verified local folders of the input artifacts, read-only, by artifact kind. */
  readonly inputs: Readonly<Record<string, ArtifactDir>>;
  /**
   * Empty folder for the output blobs; shared by the ranks of this host, only rank 0 names files outside `rank<r>/`.
   */
  readonly outDir: string;
  /** Scratch space shared by the ranks of this host, removed afterwards. */
  readonly scratchDir: string;
  /** This process among its peers; a step that runs on one rank sees rank 0 of 1. */
  readonly rank: RankContext;
  /** Where a step finds the models, samplers and partitioners that its options name, the operator's own included. */
  readonly registry: Registry;
  /** The last checkpoint of an earlier attempt, if there is one. */
  readonly resume: ArtifactDir | null;
  /** What reading an uploaded file may come to. Left out: `defaultReadingLimits` */
  readonly limits?: ReadingLimits;
  readonly onEvent: (event: StepEvent) => void;
  readonly signal: AbortSignal;
  /** Aborted when a training is to end where it is; what it came to is its result. */
  readonly endSignal?: AbortSignal;
}

/** The consecutive ranks of a step that one host runs. */
export interface HostRanks {
  readonly firstRank: number;
  readonly ranks: number;
  /** Ranks of the step, on all hosts */
  readonly worldSize: number;
}

/** What a sampler process of a step sees of it. */
export type SamplerStepContext<O = unknown> = Pick<StepContext<O>, "options" | "inputs" | "registry">;

export interface StepComponent<O extends z.ZodType = z.ZodType> extends ComponentBase<O> {
  readonly kind: "step";
  /** Artifact kinds it reads, e.g. `["graph"]`; resolved by kind when a job is planned. */
  readonly inputs: readonly string[];
  /**
   * Artifact kinds that it reads too where an earlier stage of the job, or of the job that this one derives from, made
   * one, or the job names one (a model). Left out: none.
   */
  readonly readsIfMade?: readonly string[];
  /** Artifact kind it writes. */
  readonly output: string;
  /** `one`: rank 0 alone; `all`: every rank of the job, with a collective between them. */
  readonly ranks: "one" | "all";
  /**
   * Whether runs with equal step, engine, options and inputs may share one artifact instead of running again. Default:
   * no.
   */
  readonly reusable?: boolean;
  /** Which of the limits bounds the seconds of a step that reads uploaded files. Left out: the job's own alone */
  readonly seconds?: "previewSeconds" | "ingestSeconds";
  /**
   * How the names of the blobs begin that these ranks open of an input; null: all of them. Their host fetches nothing
   * else of it. Left out: all of every input.
   */
  readonly reads?: (input: Manifest, options: z.infer<O>, ranks: HostRanks) => readonly string[] | null;
  /**
   * For a step that may have sampler processes beside its ranks (`resources.samplers`): makes what they serve, which a
   * rank's
   * `connectSampler` asks. Left out: the step draws no batches.
   */
  readonly createSampler?: (context: SamplerStepContext<z.infer<O>>) => Promise<Sampler>;
  /** Writes blobs under `outDir` and returns what the manifest says of them. Ranks above 0 return null. */
  readonly run: (context: StepContext<z.infer<O>>) => Promise<ManifestDraft | null>;
}

/** Declares a step. One per file, exported from `steps/<name>.step.ts`. */
export function defineStep<O extends z.ZodType>(step: Omit<StepComponent<O>, "kind">): StepComponent<O> {
  return { kind: "step", ...step };
}
