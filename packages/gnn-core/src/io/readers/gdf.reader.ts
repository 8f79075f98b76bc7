import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Graph of GUESS and Gephi. */
export const gdfReader = defineReader({
  name: "gdf",
  version: 1,
  title: "GDF",
  summary:
    "Nodes below nodedef>, edges below edgedef>, values between commas, as GUESS and Gephi write a graph; .gz is unpacked on the way.",
  reference: "https://docs.gephi.org/desktop/User_Manual/Import/GDF_Format/",
  extensions: [".gdf", ".gdf.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseGdf } = await import("../graph-files/gdf.ts");
    return openGraphFile(parseGdf, part, path, name, limits);
  },
});
