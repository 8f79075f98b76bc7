import { join } from "node:path";
import type { BundleContext, WrittenBundle } from "./bundle.ts";
import { indexOf, invalid, nameOf, nodeLines, type OgbRow, rowsOf, splitCodes, writeLines } from "./ogb-rows.ts";

/**
 * A set of graphs: the rows of all of them lie behind each other, and ids of nodes count from 0 in each graph.
 *
 * @param numNodes of each graph
 * @param numEdges of each graph; null: the bundle does not say
 * @throws GnnError DATASET_FORMAT_INVALID with file and line
 */
export async function writeOgbGraphs(
  context: BundleContext,
  numNodes: readonly number[],
  numEdges: readonly number[] | null,
): Promise<WrittenBundle> {
  const { dir } = context;
  const file = (await nameOf(context, "num-node-list")) ?? "";
  if (numEdges === null || (await nameOf(context, "graph-label")) === null)
    throw invalid(
      file,
      "it counts the nodes of several graphs, for which num-edge-list and graph-label are needed too",
    );
  if (numEdges.length !== numNodes.length)
    throw invalid(
      file,
      `it counts the nodes of ${numNodes.length} graphs, num-edge-list the edges of ${numEdges.length}`,
    );
  const split = await splitCodes(context, numNodes.length);
  await writeLines(join(dir, "edges.csv"), edgeLines(context, numEdges, numNodes));
  await writeLines(join(dir, "nodes.csv"), nodeLinesOf(context, numNodes));
  await writeLines(join(dir, "graphs.csv"), nodeLines(context, numNodes.length, "graph-label", split, "graph"));
  const hasEdgeFeatures = (await nameOf(context, "edge-feat")) !== null;
  const note = "edge-feat is left out: no model of whole graphs reads features of edges yet.";
  return { tables: ["edges.csv", "nodes.csv", "graphs.csv"], notes: hasEdgeFeatures ? [note] : [] };
}

async function* nodeLinesOf(context: BundleContext, numNodes: readonly number[]) {
  const hasFeatures = (await nameOf(context, "node-feat")) !== null;
  if (!hasFeatures) {
    yield "graph,id\n";
    let left = context.sampleRows ?? Number.POSITIVE_INFINITY;
    for (const [graph, count] of numNodes.entries())
      for (let node = 0; node < count && left-- > 0; node++) yield `${graph},${node}\n`;
    return;
  }
  let width = 0;
  for await (const { graph, place, row } of inGraphs(context, "node-feat", numNodes)) {
    const { fields, file, line } = row;
    if (width === 0) {
      width = fields.length;
      yield `graph,id,${fields.map((_, i) => `feat_${i}`).join(",")}\n`;
    }
    if (fields.length !== width) throw invalid(file, `found ${fields.length} numbers, expected ${width}`, line);
    yield `${graph},${place},${fields.join(",")}\n`;
  }
}

async function* edgeLines(context: BundleContext, numEdges: readonly number[], numNodes: readonly number[]) {
  yield "graph,src,dst\n";
  for await (const { graph, row } of inGraphs(context, "edge", numEdges)) {
    const { fields, file, line } = row;
    if (fields.length !== 2)
      throw invalid(file, `found ${fields.length} fields, expected the two ends of an edge`, line);
    const ends = fields.map((field) => indexOf(field, file, line));
    const beyond = ends.find((end) => end >= numNodes[graph]!);
    if (beyond !== undefined)
      throw invalid(file, `it names the node ${beyond} of graph ${graph}, which has ${numNodes[graph]}`, line);
    yield `${graph},${ends.join(",")}\n`;
  }
}

interface PlacedRow {
  readonly graph: number;
  /** In its graph, from 0 */
  readonly place: number;
  readonly row: OgbRow;
}

/** The rows of a file with the graphs that they are of, by how many each has. */
async function* inGraphs(context: BundleContext, part: string, counts: readonly number[]): AsyncGenerator<PlacedRow> {
  let [graph, place, rows] = [0, 0, 0];
  let name = "";
  for await (const row of rowsOf(context, part)) {
    name = row.file;
    while (place >= (counts[graph] ?? Number.POSITIVE_INFINITY)) [graph, place] = [graph + 1, 0];
    if (graph >= counts.length) throw invalid(name, `it has more rows than are counted for ${graph} graphs`, row.line);
    yield { graph, place: place++, row };
    rows++;
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (rows < Math.min(total, context.sampleRows ?? total))
    throw invalid(name || ((await nameOf(context, part)) ?? ""), `it has ${rows} rows; ${total} are counted`);
}
