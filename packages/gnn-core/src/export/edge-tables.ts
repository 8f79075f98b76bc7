import { join } from "node:path";
import { edgesAsRows, mapEdgeRows } from "../edges/edge-rows-artifact.ts";
import { splitCodes } from "../io/ingest/split-words.ts";
import { NpyReader } from "../io/npy.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { atTemperature } from "../tasks/temperature.ts";
import type { EdgeSources, ExportSources } from "./export-sources.ts";
import { idTaker, type PairRows } from "./pair-tables.ts";

const batchRows = 65_536;

/**
 * `source, target, split` and the task's columns: what is predicted of every row of the edges that became an edge, in
 * the order of the files. Probabilities are those at the model's temperature.
 */
export async function* edgeRows(
  { graph, remapped, registry }: Pick<ExportSources, "graph" | "remapped" | "registry">,
  { edgeRows: artifact, edgePredictions }: EdgeSources,
): AsyncGenerator<PairRows> {
  const { task, temperature } = inferredTask.parse(remapped.manifest.info);
  const { component, options } = resolveTask(task, registry);
  if (component.seeds !== "edgeRows") return;
  const rows = mapEdgeRows(artifact, null);
  const columnsOf = await component.columns(options, edgesAsRows(rows));
  const take = await idTaker(graph);
  const names = Object.keys(splitCodes);
  const { src, dst } = rows.edges;
  const logits = await NpyReader.open(join(edgePredictions.dir, "logits.npy"), "float32");
  try {
    for (let first = 0; first < Math.max(1, src.length); first += batchRows) {
      const end = Math.min(src.length, first + batchRows);
      const outputs = atTemperature(await logits.readRows(first, end - first), temperature);
      yield [
        { name: "source", type: "ids", values: take(src.subarray(first, end)) },
        { name: "target", type: "ids", values: take(dst.subarray(first, end)) },
        { name: "split", type: "text", values: Array.from(rows.split.subarray(first, end), (code) => names[code]!) },
        ...columnsOf(first, outputs),
      ];
    }
  } finally {
    await logits.close();
  }
}
