import { loadAddon } from "../backends/native/addon.ts";
import type { BlockModelHandle } from "../backends/native/generate-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { StepProgress } from "../io/step-progress.ts";
import type { GraphShape } from "./graph-shape.ts";

const valuesPerSlice = 2 ** 20;

/** Feature rows of consecutive nodes, a few MiB at a time. */
export async function* featureSlices(
  model: BlockModelHandle,
  { numNodes, featureDim }: GraphShape,
  progress: StepProgress,
): AsyncGenerator<{ readonly firstNode: number; readonly values: Float32Array }> {
  const rows = Math.max(1, Math.floor(valuesPerSlice / Math.max(1, featureDim)));
  for (let firstNode = 0; firstNode < numNodes; firstNode += rows) {
    progress.report("features", firstNode, numNodes, "nodes");
    const count = Math.min(rows, numNodes - firstNode);
    yield { firstNode, values: await native(() => loadAddon().generatedFeatures(model, firstNode, count)) };
  }
}
