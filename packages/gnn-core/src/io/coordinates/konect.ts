import { GnnError } from "../../errors/gnn-error.ts";
import type { CoordinateFactsOf } from "./coordinate-facts.ts";

const banner = /^%\s*(sym|asym|bip)\s+([a-z]+)\s*$/;
const sizes = /^%\s*\d+\s+(\d+)(?:\s+(\d+))?\s*$/;

/**
 * The comments that files of KONECT begin with: `% asym positive` says whether edges have a direction, or join nodes of
 * two kinds, each numbered from 1 (`bip`); the line below, where there is one, how many edges and nodes there are.
 * Behind both ends stand a weight, or how often the edge was there, and the time in seconds.
 *
 * Kunegis 2013, KONECT: the Koblenz Network Collection; its handbook, section 9
 */
export const konectFacts: CoordinateFactsOf = (head, file) => {
  const [first = "", second = ""] = head.split(/\r\n|\n|\r/);
  const kind = banner.exec(first)?.[1];
  if (kind === undefined) throw noKonect(file, first);
  const [, left, right] = sizes.exec(second) ?? [];
  const isBipartite = kind === "bip";
  const hasBoth = left !== undefined && (!isBipartite || right !== undefined);
  return {
    numSources: hasBoth ? Number(left) : null,
    numTargets: hasBoth && isBipartite ? Number(right) : null,
    // The number that the file has counts an edge as often as its third column says.
    numRows: null,
    directed: kind === "asym",
    kinds: isBipartite ? ["left", "right"] : null,
    more: ["weight", "time"],
  };
};

function noKonect(file: string, found: string): GnnError {
  const message = `${file}, line 1: found "${found.slice(0, 60)}", expected the beginning of a file of KONECT, such as % asym positive.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line: 1 } });
}
