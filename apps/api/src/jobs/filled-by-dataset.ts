import { addedRowsNote, type JobSpec, withRowsToRead } from "@hopwise/contracts";
import type { GraphInfo, Registry } from "@hopwise/gnn-core/spec";
import { drawnSplit } from "../datasets/own-split.ts";
import { checkAgainstDataset } from "../datasets/trainable-version.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";

/** A job spec as it was sent, and with every default. */
export interface SentSpec {
  readonly sent: unknown;
  readonly resolved: JobSpec;
}

/**
 * The spec with what it leaves to the dataset: the split, and what models read of nodes without features.
 *
 * @returns the spec, and what was filled in as sentences
 * @throws AppError JOB_SPEC_INVALID when the dataset has not what the spec asks for
 */
export function filledByDataset(
  { sent, resolved }: SentSpec,
  version: DatasetVersion,
  info: GraphInfo,
  registry: Registry,
): { readonly spec: JobSpec; readonly notes: readonly string[] } {
  const drawn = drawnSplit(sent, resolved, version, registry);
  const asked = drawn ? { ...resolved, split: drawn.split } : resolved;
  checkAgainstDataset(asked, version, registry);
  const spec = withRowsToRead(asked, info, registry);
  const notes = [drawn?.note, addedRowsNote(asked, spec)];
  return { spec, notes: notes.filter((note) => note != null) };
}
