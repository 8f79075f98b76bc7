import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Outcome } from "./run-step.ts";

export interface StepResult extends Outcome {
  readonly name: string;
  readonly title: string;
}

/** What was found on one device: benchmarks/gpu/results/<device>.json. */
export interface CheckResults {
  readonly device: string;
  /** The emulation measures nothing. */
  readonly isEmulated: boolean;
  readonly startedAt: string;
  /** Which the checked code is, "-dirty" when changed since */
  readonly commit: string;
  readonly driver: string | null;
  readonly cuda: string | null;
  readonly steps: readonly StepResult[];
}

/** "NVIDIA H100 80GB HBM3" is in nvidia-h100-80gb-hbm3.json. */
export function fileOf(device: string): string {
  return `${device.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.json`;
}

/** Renamed when whole: whoever stops the check keeps what is known so far. */
export function writeResults(path: string, results: CheckResults): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, `${JSON.stringify(results, null, 2)}\n`);
  renameSync(`${path}.partial`, path);
}
