import { predictsRows } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";
import { labelSetsOf } from "../graph/label-sets.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { remappedInfo } from "../spec/result-info.ts";
import type { PredictionColumn } from "../tasks/known-nodes.ts";
import { atTemperature } from "../tasks/temperature.ts";

/**
 * What the task says of nodes that nothing is known of, in the columns of an export of predictions; null: nothing.
 *
 * @param remapped of a job with the model: its classes, and the temperature of its probabilities
 * @param outputs float32 [numNodes, outDim]
 */
export async function columnsOfUnknown(
  remapped: ArtifactDir,
  registry: Registry,
  outputs: Float32Array,
  numNodes: number,
): Promise<readonly PredictionColumn[] | null> {
  const { classes, task, temperature } = remappedInfo.parse(remapped.manifest.info);
  const { component, options } = resolveTask(task, registry);
  if (!predictsRows(component)) return null;
  const labels = new Int32Array(numNodes).fill(-1);
  const labelSets = labelSetsOf(Array(numNodes).fill(null), classes.length);
  const columnsOf = await component.columns(options, { numNodes, classes, labels, labelSets, targets: null });
  return columnsOf(0, atTemperature(outputs, temperature));
}
