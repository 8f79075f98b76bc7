import { selectTargets } from "../graph/node-targets.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import { splitCodes } from "../io/ingest/split-words.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { NpyReader } from "../io/npy.ts";
import { mapGraphArtifact } from "../partition/graph-artifact.ts";
import { type TaskOptions, targetsOf } from "../spec/task-options.ts";
import { classificationTask } from "../tasks/classification.ts";
import { multiLabelTask } from "../tasks/multi-label.ts";
import type { Metrics, NodeTask } from "../tasks/node-task.ts";
import { regressionTask } from "../tasks/regression.ts";
import { noScaling } from "../tasks/target-scaling.ts";

/** What is counted again from the files, of each task: figures that neither weights nor scaling change */
const counted: Record<TaskOptions["type"], readonly string[]> = {
  nodeClassification: ["accuracy"],
  nodeMultiLabel: ["microF1", "macroF1"],
  nodeRegression: ["mae", "rmse", "r2"],
};

const batchRows = 65_536;

/**
 * Counts metrics once more, from the outputs as they were written and the labels of the graph: what a user would find.
 *
 * @param labels int32 class of each node, split int8, both by NodeIndex
 */
export async function recount(
  outputsFile: string,
  task: TaskOptions,
  graph: ArtifactDir,
  info: GraphInfo,
  { labels, split }: { readonly labels: Int32Array; readonly split: Int32Array },
): Promise<Record<string, number | null>> {
  const judge = judgeOf(task, graph, info, labels);
  const splits = (["train", "val", "test"] as const).map((name) => ({ name, tally: judge.tally() }));
  const reader = await NpyReader.open(outputsFile, "float32");
  try {
    for (let start = 0; start < reader.numRows; start += batchRows) {
      const outputs = await reader.readRows(start, batchRows);
      for (let node = start; node < Math.min(start + batchRows, reader.numRows); node++) {
        const into = splits.find(({ name }) => splitCodes[name] === split[node]);
        if (into && judge.isLabelled(node)) into.tally.addRow(outputs, node - start, node);
      }
    }
  } finally {
    await reader.close();
  }
  return Object.fromEntries(splits.flatMap(({ name, tally }) => named(name, tally.metrics, counted[task.type])));
}

function judgeOf(task: TaskOptions, graph: ArtifactDir, info: GraphInfo, labels: Int32Array): NodeTask {
  const ones = new Float32Array(info.classes.length).fill(1);
  if (task.type === "nodeClassification") return classificationTask(labels, ones);
  const { labelSets, targets } = mapGraphArtifact(graph);
  if (task.type === "nodeMultiLabel" && labelSets) return multiLabelTask(labelSets, ones, task.threshold);
  const wanted = targetsOf(task);
  const selected = (targets && selectTargets(targets, wanted)) ?? { names: wanted, values: nothingKnown(info, wanted) };
  return regressionTask(selected, noScaling(wanted.length), { loss: "mse", huberDelta: 1 });
}

function nothingKnown({ numNodes }: GraphInfo, wanted: readonly string[]): Float32Array {
  return new Float32Array(numNodes * wanted.length).fill(Number.NaN);
}

function named(split: string, metrics: Metrics, names: readonly string[]): [string, number | null][] {
  return names.map((name) => [`${split}/${name}`, metrics[name] ?? null]);
}
