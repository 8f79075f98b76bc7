import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Files of the Large Graph Layout, as igraph writes them. */
export const lglReader = defineReader({
  name: "lgl",
  version: 1,
  title: "LGL",
  summary:
    "A line # vertex, then its neighbours on a line each, with weights or without; edges have no direction; .gz is unpacked on the way.",
  reference: "https://igraph.org/c/doc/igraph-Foreign.html",
  extensions: [".lgl", ".lgl.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseLgl } = await import("../graph-files/lgl.ts");
    return openGraphFile(parseLgl, part, path, name, limits);
  },
});
