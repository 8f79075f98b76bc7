import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";

/** Writes the made citation graph (20,000 nodes, 200,000 edges, ids that careless readers merge) as files. */
export async function citationFiles(dir: string): Promise<string[]> {
  const { edgesFile, nodesFile } = await writeCitationGraph(join(dir, "citations"));
  return [edgesFile, nodesFile];
}
