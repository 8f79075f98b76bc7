import { join } from "node:path";
import { type GraphInfo, graphInfo } from "../io/ingest/ingest-report.ts";
import { mapLabelSets } from "../io/label-set-files.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { targetsOf } from "../spec/task-options.ts";
import { argMax } from "../tasks/metrics.ts";
import { softmaxColumns } from "./softmax.ts";

/** One column of an export of predictions, for some consecutive nodes */
export type PredictionColumn =
  | { readonly name: string; readonly type: "text"; readonly values: readonly (string | null)[] }
  /** NaN = not known */
  | { readonly name: string; readonly type: "float32"; readonly values: Float32Array };

/** Turns outputs float32 [count, outDim] of the nodes from `start` on into columns. @param labels int32 [count] */
export type PredictionColumns = (start: number, outputs: Float32Array, labels: Int32Array) => PredictionColumn[];

/** Joins the several labels of a node in one cell. */
const separator = "|";

/**
 * The columns that a task's predictions have, behind id and split:
 *   one class:      label, predicted, p_<class> …
 *   several labels: the same, each a list joined by `|`; predicted are those with p_<class> ≥ the task's threshold
 *   numbers:        target_<name>, predicted_<name> …
 */
export function predictionColumns(graph: ArtifactDir, remapped: ArtifactDir): PredictionColumns {
  const info = graphInfo.parse(graph.manifest.info);
  const { task } = inferredTask.parse(remapped.manifest.info);
  if (task.type === "nodeMultiLabel") return multiLabelColumns(graph, info, task.threshold);
  if (task.type === "nodeRegression") return regressionColumns(graph, info, targetsOf(task));
  return classColumns(info.classes);
}

function classColumns(classes: readonly string[]): PredictionColumns {
  const numClasses = classes.length;
  return (_start, outputs, labels) => [
    { name: "label", type: "text", values: Array.from(labels, (label) => (label < 0 ? null : classes[label]!)) },
    {
      name: "predicted",
      type: "text",
      values: Array.from(labels, (_, row) => classes[argMax(outputs, row, numClasses)]!),
    },
    ...probabilities(classes, softmaxColumns(outputs, numClasses)),
  ];
}

function multiLabelColumns({ dir }: ArtifactDir, { classes }: GraphInfo, threshold: number): PredictionColumns {
  const numClasses = classes.length;
  const { indptr, indices, known } = mapLabelSets(join(dir, "nodes"), numClasses);
  const named = (labels: Iterable<number>) => Array.from(labels, (label) => classes[label]!).join(separator);
  return (start, outputs, labels) => {
    const columns = sigmoidColumns(outputs, numClasses);
    const predicted = (row: number) => columns.flatMap((of, c) => (of[row]! >= threshold ? [c] : []));
    return [
      {
        name: "label",
        type: "text",
        values: Array.from(labels, (_, row) => {
          const node = start + row;
          return known[node] === 1 ? named(indices.subarray(indptr[node], indptr[node + 1])) : null;
        }),
      },
      { name: "predicted", type: "text", values: Array.from(labels, (_, row) => named(predicted(row))) },
      ...probabilities(classes, columns),
    ];
  };
}

function regressionColumns({ dir }: ArtifactDir, info: GraphInfo, names: readonly string[]): PredictionColumns {
  const width = info.targets.length;
  const { values: known } = mapNpy(join(dir, "nodes/targets.npy"), "float32");
  return (start, outputs) =>
    names.flatMap((name, i): PredictionColumn[] => {
      const numRows = outputs.length / names.length;
      const column = info.targets.findIndex((target) => target.name === name);
      const targets = Float32Array.from({ length: numRows }, (_, row) => known[(start + row) * width + column]!);
      const predicted = Float32Array.from({ length: numRows }, (_, row) => outputs[row * names.length + i]!);
      return [
        { name: `target_${name}`, type: "float32", values: targets },
        { name: `predicted_${name}`, type: "float32", values: predicted },
      ];
    });
}

function probabilities(classes: readonly string[], columns: readonly Float32Array[]): PredictionColumn[] {
  return columns.map((values, c) => ({ name: `p_${classes[c]}`, type: "float32", values }));
}

/** σ(z) of each label, one float32 [rows] a label. */
function sigmoidColumns(outputs: Float32Array, numClasses: number): Float32Array[] {
  const numRows = outputs.length / numClasses;
  return Array.from({ length: numClasses }, (_, c) =>
    Float32Array.from({ length: numRows }, (__, row) => 1 / (1 + Math.exp(-outputs[row * numClasses + c]!))),
  );
}
