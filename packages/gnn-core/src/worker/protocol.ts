import type { GnnErrorCode } from "../errors/codes.ts";
import { type ErrorPlace, GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { StepEvent } from "../spec/step-event.ts";
import type { FitResult } from "../train/fit-options.ts";
import type { TrainerOptions } from "../train/trainer-setup.ts";
import type { PortableData } from "./portable-data.ts";

/** Data that the worker thread loads itself, from a module whose default export returns `TrainingData`. */
export interface DataModule {
  readonly module: string;
  /** Handed to the function; must be cloneable */
  readonly argument?: unknown;
}

/** What the thread is started with. */
export interface WorkerTask {
  readonly data: { readonly portable: PortableData } | DataModule;
  readonly options: TrainerOptions;
  readonly threads: number;
  readonly componentFolders: readonly string[];
  readonly infer: boolean;
  readonly checkpointDir?: string;
  readonly resume?: ArtifactDir;
}

export type WorkerResult = FitResult & {
  /** The model's weights after training: those of the best evaluation */
  readonly weights: readonly NamedTensor[];
  /** float32 [numNodes, dim] and [numNodes, numClasses]; with `infer` only */
  readonly embeddings: Float32Array | null;
  readonly logits: Float32Array | null;
};

export interface PlainError {
  readonly code: GnnErrorCode | null;
  readonly message: string;
  readonly place: ErrorPlace;
  readonly stack: string | undefined;
}

export type FromWorker =
  | { readonly type: "event"; readonly event: StepEvent }
  | { readonly type: "result"; readonly result: WorkerResult }
  | { readonly type: "failed"; readonly error: PlainError };

export type ToWorker = "abort";

/** Cloning an Error keeps neither its class nor its code. */
export function toPlainError(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof GnnError)) return { code: null, message, place: {}, stack };
  return { code: error.code, message, place: error.place, stack };
}

/** The error as the thread threw it; its stack there is the `cause`'s. */
export function fromPlainError({ code, message, place, stack }: PlainError): Error {
  const cause = Object.assign(new Error(message), stack === undefined ? {} : { stack });
  return code === null ? new Error(message, { cause }) : new GnnError(code, message, { cause, place });
}
