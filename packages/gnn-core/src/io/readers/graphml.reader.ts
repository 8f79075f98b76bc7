import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graphs in XML with keys for their attributes. */
export const graphmlReader = defineReader({
  name: "graphml",
  version: 1,
  title: "GraphML",
  summary:
    "Nodes and edges in one XML file, as igraph, networkx, yEd and Gephi write it, with typed attributes and their defaults; .gz is unpacked on the way.",
  reference: "http://graphml.graphdrawing.org",
  extensions: [".graphml", ".graphml.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseGraphml } = await import("../graph-files/graphml.ts");
    return openGraphFile(parseGraphml, part, path, name, limits);
  },
});
