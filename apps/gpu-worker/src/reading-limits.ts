import type { Limit, ReadingLimits } from "@hopwise/gnn-core/spec";
import { z } from "zod";

type Variables = Readonly<
  Record<
    | "HOPWISE_INGEST_UNPACKED_BYTES"
    | "HOPWISE_INGEST_EXPANSION"
    | "HOPWISE_INGEST_ROWS"
    | "HOPWISE_INGEST_COLUMNS"
    | "HOPWISE_INGEST_SECONDS"
    | "HOPWISE_PREVIEW_SECONDS",
    number
  >
>;

/** The query engine has the larger share of a step's memory; the rest is for the rows that it gives. */
const engineShare = 0.7;

/** The limits as the engine takes them: errors name the variable that an operator sets. */
export function readingLimitsOf(set: Variables, stepMemoryBytes: number): ReadingLimits {
  const limit = (setting: keyof Variables): Limit => ({ most: set[setting], setting });
  return {
    unpackedBytes: limit("HOPWISE_INGEST_UNPACKED_BYTES"),
    expansion: limit("HOPWISE_INGEST_EXPANSION"),
    rows: limit("HOPWISE_INGEST_ROWS"),
    columns: limit("HOPWISE_INGEST_COLUMNS"),
    memoryBytes: {
      most: Math.floor(stepMemoryBytes * engineShare),
      setting: `${engineShare} × HOPWISE_STEP_MEMORY_BYTES`,
    },
    previewSeconds: limit("HOPWISE_PREVIEW_SECONDS"),
    ingestSeconds: limit("HOPWISE_INGEST_SECONDS"),
  };
}

const limit = z.object({ most: z.number(), setting: z.string() });

/** As they travel to a rank. */
export const readingLimits = z.object({
  unpackedBytes: limit,
  expansion: limit,
  rows: limit,
  columns: limit,
  memoryBytes: limit,
  previewSeconds: limit,
  ingestSeconds: limit,
}) satisfies z.ZodType<ReadingLimits>;
