import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graph of yEd and many small programs. */
export const tgfReader = defineReader({
  name: "tgf",
  version: 1,
  title: "Trivial Graph Format",
  summary:
    "Nodes above a line #, edges below it, each with what it is called, as yEd writes them; .gz is unpacked on the way.",
  reference: "https://en.wikipedia.org/wiki/Trivial_Graph_Format",
  extensions: [".tgf", ".tgf.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseTgf } = await import("../graph-files/tgf.ts");
    return openGraphFile(parseTgf, part, path, name, limits);
  },
});
