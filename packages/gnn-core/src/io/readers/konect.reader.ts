import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** The files `out.*` of the Koblenz Network Collection. */
export const konectReader = defineReader({
  name: "konect",
  version: 1,
  title: "KONECT",
  summary:
    "The file out.* of a network of KONECT: its first line says whether edges have a direction or join nodes of two kinds; behind the ends stand weight and time.",
  reference: "http://konect.cc/howto/",
  extensions: [],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openCoordinates } = await import("../coordinates/open-coordinates.ts");
    const { konectFacts } = await import("../coordinates/konect.ts");
    return openCoordinates(konectFacts, part, path, name, limits);
  },
});
