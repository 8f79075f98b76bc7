import { defineReader } from "../../components/define-reader.ts";
import { graphFileOptions, graphParts } from "../graph-files/graph-file-options.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Exports of Neo4j by APOC. */
export const apocJsonReader = defineReader({
  name: "apoc-json",
  version: 1,
  title: "Neo4j's JSON lines",
  summary:
    "A node or a relationship on each line, as apoc.export.json writes the graph of a Neo4j database; .gz is unpacked on the way.",
  reference: "https://neo4j.com/docs/apoc/current/export/json/",
  extensions: [],
  parts: graphParts,
  options: graphFileOptions,
  open: async (path, { part }, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseApoc } = await import("../graph-files/apoc.ts");
    return openGraphFile(parseApoc, part, path, name, limits);
  },
});
