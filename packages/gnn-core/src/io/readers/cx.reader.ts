import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Network of Cytoscape and NDEx. */
export const cxReader = defineReader({
  name: "cx",
  version: 1,
  title: "CX",
  summary:
    "Networks of Cytoscape and NDEx in CX 1 and CX 2, with the attributes of nodes and edges; .gz is unpacked on the way.",
  reference: "https://cytoscape.org/cx/cx2/specification/cytoscape-exchange-format-specification-(version-2)/",
  extensions: [".cx", ".cx2", ".cx.gz", ".cx2.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseCx } = await import("../graph-files/cx.ts");
    return openGraphFile(parseCx, part, path, name, limits);
  },
});
