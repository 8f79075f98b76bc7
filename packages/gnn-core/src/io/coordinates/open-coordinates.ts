import { GnnError } from "../../errors/gnn-error.ts";
import { edgeListHead, openEdgeList } from "../edge-list/open-edge-list.ts";
import type { GraphPart } from "../graph-files/graph-record.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { CoordinateEdges } from "./coordinate-edges.ts";
import { type CoordinateFactsOf, checkNumNodes } from "./coordinate-facts.ts";
import { NumberedNodes } from "./numbered-nodes.ts";

/**
 * Opens the edges of a file of numbered ends, which are streamed, or the nodes that it says there are.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function openCoordinates(
  factsOf: CoordinateFactsOf,
  part: GraphPart,
  path: string,
  name: string,
  limits: ReadingLimits,
): Promise<TableSource> {
  const head = await edgeListHead(path, name, limits);
  const facts = factsOf(head.text.replace(/^\ufeff/, ""), name);
  if (part === "nodes") {
    if (facts.numSources === null) throw saysNone(name);
    await checkNumNodes(path, name, facts.numSources + (facts.numTargets ?? 0));
    return new NumberedNodes(facts);
  }
  const choice = { header: false, comment: "%", decimal: "." } as const;
  const table = await openEdgeList(path, { ...choice, columnNames: ["src", "dst", ...facts.more] }, name, limits);
  return new CoordinateEdges(table, facts, name);
}

function saysNone(file: string): GnnError {
  const message = `${file} does not say how many nodes there are; leave its nodes out.`;
  return new GnnError("DATASET_FILE_EMPTY", message, { place: { file } });
}
