import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graphs as partitioners take them. */
export const metisReader = defineReader({
  name: "metis",
  version: 1,
  title: "METIS",
  summary:
    "The numbers of nodes and edges, then on the line of each node its neighbours, counted from 1, with weights where the first line says so; .gz is unpacked on the way.",
  reference: "https://karypis.github.io/glaros/software/metis/overview.html",
  extensions: [".graph", ".graph.gz", ".metis", ".metis.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseMetis } = await import("../graph-files/metis.ts");
    return openGraphFile(parseMetis, part, path, name, limits);
  },
});
