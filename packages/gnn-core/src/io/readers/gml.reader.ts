import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** The Graph Modelling Language: lists in brackets. */
export const gmlReader = defineReader({
  name: "gml",
  version: 1,
  title: "GML",
  summary:
    "Nodes and edges in one text file of nested lists; what lies in an inner list has a name such as address.town; .gz is unpacked on the way.",
  reference: "https://networkx.org/documentation/stable/reference/readwrite/gml.html",
  extensions: [".gml", ".gml.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseGml } = await import("../graph-files/gml.ts");
    return openGraphFile(parseGml, part, path, name, limits);
  },
});
