import type { PredictedRows, TaskMetric } from "../components/define-task.ts";
import { splitCodes } from "../io/ingest/split-words.ts";
import { NpyReader } from "../io/npy.ts";
import type { KnownNodes } from "../tasks/known-nodes.ts";
import { taskKit } from "../tasks/task-kit.ts";

const batchRows = 65_536;

/**
 * Counts metrics once more, from the outputs as they were written and what the graph knows: what a user would find.
 *
 * @param split int8 of each node by NodeIndex
 * @returns of each split the metrics with `isRecounted`
 */
export async function recount(
  outputsFile: string,
  {
    component,
    options,
  }: {
    readonly component: PredictedRows & { readonly metrics: readonly TaskMetric[] };
    readonly options: Record<string, unknown>;
  },
  nodes: KnownNodes,
  split: Int32Array,
): Promise<Record<string, number | null>> {
  const judge = await component.judge(options, nodes, taskKit);
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
  const counted = component.metrics.filter(({ isRecounted }) => isRecounted);
  const named = splits.flatMap(({ name: split, tally }) => {
    const { metrics } = tally;
    return counted.map(({ name }) => [`${split}/${name}`, metrics[name] ?? null] as const);
  });
  return Object.fromEntries(named);
}
