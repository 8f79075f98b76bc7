import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Cytoscape's Simple Interaction Format. */
export const sifReader = defineReader({
  name: "sif",
  version: 1,
  title: "SIF",
  summary:
    "On each line a node, the type of its edges and the nodes that they lead to, as Cytoscape writes a graph; .gz is unpacked on the way.",
  reference: "https://manual.cytoscape.org/en/stable/Supported_Network_File_Formats.html#sif-format",
  extensions: [".sif", ".sif.gz"],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseSif } = await import("../graph-files/sif.ts");
    return openGraphFile(parseSif, part, path, name, limits);
  },
});
