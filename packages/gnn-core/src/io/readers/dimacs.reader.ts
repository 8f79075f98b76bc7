import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graphs of the DIMACS challenges: colours, cliques, paths. */
export const dimacsReader = defineReader({
  name: "dimacs",
  version: 1,
  title: "DIMACS",
  summary:
    "A line p with the numbers of nodes and edges, then edges (e 1 2), arcs with a length (a 1 2 7) or ends alone, as DIMACS and PACE have them; .gz is unpacked on the way.",
  reference: "http://dimacs.rutgers.edu/archive/Challenges",
  extensions: [".gr", ".gr.gz", ".col", ".col.gz", ".clq", ".dimacs"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseDimacs } = await import("../graph-files/dimacs.ts");
    return openGraphFile(parseDimacs, part, path, name, limits);
  },
});
