import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Lists of neighbours as networkx writes them. */
export const adjacencyListReader = defineReader({
  name: "adjacency-list",
  version: 1,
  title: "Lists of neighbours",
  summary:
    "On each line a node, with a colon behind it or without, and those that it has an edge to, between blanks, commas or semicolons; .gz is unpacked on the way.",
  reference: "https://networkx.org/documentation/stable/reference/readwrite/adjlist.html",
  extensions: [".adjlist", ".adjlist.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseNeighbourLists } = await import("../graph-files/neighbour-lists.ts");
    return openGraphFile(parseNeighbourLists, part, path, name, limits);
  },
});
