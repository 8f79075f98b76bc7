import { z } from "zod";
import type { SamplerObjection } from "../components/define-sampler.ts";
import { GnnError } from "../errors/gnn-error.ts";

/** In-neighbours per node and hop, for samplers that draw around each node. */
export const fanouts = z
  .array(z.number().int().min(-1).max(100_000))
  .min(1)
  .max(16)
  .default([15, 10])
  .describe("In-neighbours per hop; the first is the hop from the seeds; -1 takes all");

/** Nodes per hop, for samplers that draw a layer at once. */
export const layerSizes = z
  .array(z.number().int().min(-1).max(10_000_000))
  .min(1)
  .max(16)
  .default([512, 512])
  .describe("Nodes drawn per hop; the first is the hop from the seeds; -1 takes all in-neighbours");

/** What is wrong with a list that wants one entry per hop of the model. */
export function onePerHop(option: string, entries: readonly number[], numHops: number): SamplerObjection | null {
  if (entries.length === numHops) return null;
  const unit = option.replace(/s$/, "");
  const message = `${option} has ${entries.length} entries and the model ${numHops} hops; give one ${unit} per hop.`;
  return { option, message };
}

/** @throws GnnError SPEC_INVALID at the option, unless there is one entry per hop */
export function assertOnePerHop(option: string, entries: readonly number[], numHops: number): void {
  const objection = onePerHop(option, entries, numHops);
  if (!objection) return;
  throw new GnnError("SPEC_INVALID", objection.message, { place: { pointer: `/sampling/options/${option}` } });
}

/** Expected rows of the input layer per seed, counting no node twice only within a column. */
export function rowsPerSeed(entries: readonly number[], meanDegree: number, numHops = entries.length): number {
  return Array.from({ length: numHops }, (_, hop) => entries[hop] ?? 0).reduce(
    (rows, fanout) => rows * (1 + (fanout < 0 ? meanDegree : Math.min(fanout, meanDegree))),
    1,
  );
}

/** Rows per seed where a hop adds its nodes to the batch once, however many of the `numSeeds` seeds share them. */
export function layerWiseRowsPerSeed(
  sizes: readonly number[],
  meanDegree: number,
  numHops: number,
  numSeeds: number,
): number {
  const seeds = Math.max(1, numSeeds);
  return Array.from({ length: numHops }, (_, hop) => sizes[hop] ?? 0).reduce(
    (rows, size) => (size < 0 ? rows * (1 + meanDegree) : rows + Math.min(size / seeds, rows * meanDegree)),
    1,
  );
}
