import type { ArtifactDir } from "../io/manifest.ts";
import type { CalibrationInfo } from "../spec/calibration-info.ts";
import type { StepEvent } from "../spec/step-event.ts";
import type { Evaluation, KeptWeights } from "./best-weights.ts";

export interface FitOptions {
  readonly signal?: AbortSignal;
  /** Ends the training at a step of all ranks, within about a second, once one of them is told: see `TrainingEnd`. */
  readonly endSignal?: AbortSignal;
  readonly onEvent?: (event: StepEvent) => void;
  /** Folder for checkpoints, written by rank 0; left out: none are written */
  readonly checkpointDir?: string;
  /** Go on after this checkpoint: the rest of the run has the bits it would have had. */
  readonly resume?: ArtifactDir | null;
}

export interface FitResult {
  /** Epochs finished; fewer than asked for after early stopping, or when `endSignal` ended the last one */
  readonly epochs: number;
  readonly steps: number;
  readonly best: Evaluation | null;
  /** The `train.checkpoint.keepBest` best evaluations with their weights, best first */
  readonly kept: readonly KeptWeights[];
  /** Metrics of val and test with the weights that the model now has: those of the best evaluation */
  readonly metrics: Readonly<Record<string, number | null>>;
  /**
   * Confusion matrix of the test nodes with the same weights, rows: label, columns: prediction; null above 100 classes
   */
  readonly confusion: number[][] | null;
  /** How far the probabilities can be trusted, where a node has one class; null otherwise */
  readonly calibration: CalibrationInfo | null;
}
