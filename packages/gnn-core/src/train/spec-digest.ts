import { createHash } from "node:crypto";
import { isPlannedToItsEnd, type TrainStepOptions } from "../spec/train-options.ts";

/** Which runs may go on from a checkpoint. */
export interface RunDigests {
  /** SHA-256 of everything that decides the bits of the weights, but neither threads nor the number of ranks */
  readonly specDigest: string;
  /**
   * Without the number of epochs, where no epoch depends on it: a run that asks for more goes on from where another one
   * ended
   */
  readonly continuationDigest: string;
}

export function runDigests(given: TrainStepOptions, dataDigest: string): RunDigests {
  const { samplerThreads: _threads, featurePlacement: _placement, ...options } = given;
  const { epochs: _epochs, ...others } = options.train;
  const train = isPlannedToItsEnd(options.train.schedule) ? options.train : others;
  return {
    specDigest: digestOf([options, dataDigest]),
    continuationDigest: digestOf([{ ...options, train }, dataDigest]),
  };
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** JSON with sorted keys: a spec that went through a database column may come back in another order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
