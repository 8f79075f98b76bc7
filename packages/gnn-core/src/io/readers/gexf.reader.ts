import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Gephi's graphs in XML. */
export const gexfReader = defineReader({
  name: "gexf",
  version: 1,
  title: "GEXF",
  summary:
    "Nodes and edges in one XML file, as Gephi writes it; an edge without a weight weighs 1 where others have one; .gz is unpacked on the way.",
  reference: "https://gexf.net",
  extensions: [".gexf", ".gexf.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseGexf } = await import("../graph-files/gexf.ts");
    return openGraphFile(parseGexf, part, path, name, limits);
  },
});
