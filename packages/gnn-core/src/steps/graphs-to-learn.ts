import { join } from "node:path";
import type { StepContext } from "../components/define-step.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { readNpy } from "../io/npy.ts";
import { type PartsInfo, parsePartsInfo } from "../spec/parts-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import type { TrainStepOptions } from "../spec/train-options.ts";
import { graphKit } from "../whole-graphs/graph-kit.ts";
import { graphsFolder } from "../whole-graphs/graph-rows-artifact.ts";
import type { GraphSet } from "../whole-graphs/graph-set.ts";
import type { GraphLearning } from "../whole-graphs/graph-task.ts";
import { stepInput } from "./step-input.ts";

type Context = Pick<StepContext<Pick<TrainStepOptions, "task">>, "inputs" | "options" | "registry">;

/**
 * What a task on whole graphs learns, from parts that keep graphs whole; null for all other tasks.
 *
 * @throws GnnError MANIFEST_INVALID when the parts were cut for other tasks
 */
export async function graphsToLearn(
  { inputs, options, registry }: Context,
  data: Pick<TrainingData, "graph">,
): Promise<GraphLearning | null> {
  const task = resolveTask(options.task, registry);
  if (task.component.seeds !== "graphs") return null;
  const parts = stepInput(inputs, "parts");
  const graphs = requireWholeGraphs(parts);
  const { values: labels } = await readNpy(join(parts.dir, graphsFolder, "part0/labels.npy"), "int32");
  const { values: split } = await readNpy(join(parts.dir, graphsFolder, "part0/split.npy"), "int8");
  const { targets: names, classes } = graphs;
  const known = {
    labels,
    numClasses: classes.length,
    targets:
      names.length === 0
        ? null
        : { names, values: (await readNpy(join(parts.dir, graphsFolder, "part0/targets.npy"), "float32")).values },
  };
  const objective = await task.component.create(task.options, known, graphKit);
  return { ...objective, set: await graphSetOfParts(parts, data), split };
}

/** @throws GnnError MANIFEST_INVALID when the parts were cut for other tasks */
export function requireWholeGraphs(parts: ArtifactDir): NonNullable<PartsInfo["graphs"]> {
  const { graphs } = parsePartsInfo(parts);
  if (graphs) return graphs;
  throw new GnnError("MANIFEST_INVALID", "The parts were cut without regard to graphs; partition again.");
}

/** The graphs of the parts, by GlobalId; they are called by their row in the dataset. */
export async function graphSetOfParts({ dir }: ArtifactDir, { graph }: Pick<TrainingData, "graph">): Promise<GraphSet> {
  const { values: offsets } = await readNpy(join(dir, graphsFolder, "offsets.npy"), "int32");
  const { values: rows } = await readNpy(join(dir, graphsFolder, "node_map.npy"), "int32");
  return { graph, offsets, ids: Array.from(rows, (row) => `row ${row + 1}`) };
}
