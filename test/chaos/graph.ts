import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { writeCitationGraph } from "@hopwise/gnn-core";

const numNodes = 6000;
const numEdges = 24_000;
const featureDim = 16;

/**
 * A made-up citation graph with exactly so many training nodes, 200 for validation and the rest for the test.
 *
 * @returns its files
 */
export async function writeChaosGraph(dir: string, trainNodes: number): Promise<[string, string]> {
  const done = `${dir}/nodes-split.csv`;
  if (existsSync(done)) return [`${dir}/edges.csv`, done];
  const { edgesFile, nodesFile } = await writeCitationGraph(dir, { numNodes, numEdges, featureDim, seed: 3 });
  const [header = "", ...rows] = readFileSync(nodesFile, "utf8").trimEnd().split("\n");
  const split = header.split(",").indexOf("split");
  const splitOf = (row: number) => (row < trainNodes ? "train" : row < trainNodes + 200 ? "val" : "test");
  const withSplit = rows.map((line, row) => {
    // The only quoted field is the id, which comes first: the split is counted from the end.
    const fields = line.split(",");
    fields[fields.length - (header.split(",").length - split)] = splitOf(row);
    return fields.join(",");
  });
  writeFileSync(done, `${[header, ...withSplit].join("\n")}\n`);
  return [edgesFile, done];
}
