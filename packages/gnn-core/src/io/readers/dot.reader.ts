import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graphs of Graphviz. */
export const dotReader = defineReader({
  name: "dot",
  version: 1,
  title: "DOT",
  summary:
    "Nodes, edges and their attributes in the language of Graphviz; subgraphs are parts of the graph, and what is set for all that follow is not read; .gz is unpacked on the way.",
  reference: "https://graphviz.org/doc/info/lang.html",
  extensions: [".dot", ".dot.gz", ".gv", ".gv.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseDot } = await import("../graph-files/dot.ts");
    return openGraphFile(parseDot, part, path, name, limits);
  },
});
