import { createHash } from "node:crypto";
import type { TrainStepOptions } from "../spec/train-options.ts";

/** SHA-256 of everything that decides the bits of the weights, but neither threads nor the number of ranks. */
export function specDigest(given: TrainStepOptions, dataDigest: string): string {
  const { samplerThreads: _, ...options } = given;
  return createHash("sha256")
    .update(canonicalJson([options, dataDigest]))
    .digest("hex");
}

/** JSON with sorted keys: a spec that went through a database column may come back in another order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
