import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Networks of Pajek: numbered vertices, arcs and edges. */
export const pajekReader = defineReader({
  name: "pajek",
  version: 1,
  title: "Pajek network",
  summary:
    "*Vertices with numbers and names, then *Arcs, *Edges or lists of neighbours; vertices are known by their numbers; .gz is unpacked on the way.",
  reference: "http://mrvar.fdv.uni-lj.si/pajek/",
  extensions: [".net", ".net.gz", ".paj"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parsePajek } = await import("../graph-files/pajek.ts");
    return openGraphFile(parsePajek, part, path, name, limits);
  },
});
