import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Exchange formats of graphs that are JSON. */
export const graphJsonReader = defineReader({
  name: "graph-json",
  version: 1,
  title: "Graph in JSON",
  summary:
    "One JSON value with the nodes and edges of a graph, as networkx (node-link), d3, graphology and Cytoscape write it; .gz is unpacked on the way.",
  reference: "https://networkx.org/documentation/stable/reference/readwrite/json_graph.html",
  extensions: [".cyjs", ".cyjs.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseGraphJson } = await import("../graph-files/graph-json.ts");
    return openGraphFile(parseGraphJson, part, path, name, limits);
  },
});
