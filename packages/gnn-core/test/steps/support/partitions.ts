import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { StepEvent } from "../../../src/index.ts";
import { readNpy } from "../../../src/io/npy.ts";
import { loadParts } from "../../../src/partition/load-parts.ts";
import { partitionStep } from "../../../src/steps/partition.step.ts";
import { type SmallGraph, writeGraphArtifact } from "../../support/graph-artifact.ts";
import { runStep } from "../../support/run-step.ts";

/** Runs the partition step on a graph that is written into a folder of its own in `dir`. */
export async function partitionIn(
  dir: string,
  graph: SmallGraph,
  options: unknown,
  onEvent?: (event: StepEvent) => void,
) {
  const input = await writeGraphArtifact(await mkdtemp(join(dir, "graph-")), graph);
  const artifact = await runStep(partitionStep, { graph: input }, options, onEvent ? { onEvent } : {});
  const nodeMap = (await readNpy(join(artifact.dir, "node_map.npy"), "int32")).values;
  const edgeMap = (await readNpy(join(artifact.dir, "edge_map.npy"), "int64")).values;
  return { input, artifact, parts: loadParts(artifact), nodeMap, edgeMap };
}

export const metis = (numParts: number, more = {}) => ({
  partition: { type: "metis", options: { numParts, ...more } },
});
export const random = (numParts: number) => ({ partition: { type: "random", options: { numParts } } });
export const streaming = (numParts: number) => ({ partition: { type: "streaming", options: { numParts } } });
export const range = (numParts: number) => ({ partition: { type: "range", options: { numParts } } });
/** A partitioner, and how many parts it makes */
export const choices = fc.tuple(fc.constantFrom(metis, random, streaming, range), fc.integer({ min: 1, max: 5 }));
