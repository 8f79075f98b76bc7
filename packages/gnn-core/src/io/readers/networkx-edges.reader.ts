import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { encodingOption } from "../encoding/encodings.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Edges with dicts of Python behind them. */
export const networkxEdgesReader = defineReader({
  name: "networkx-edges",
  version: 1,
  title: "Edges of networkx",
  summary:
    "On each line two ids and a dict such as {'weight': 3}, as networkx.write_edgelist writes them; its keys are columns; .gz is unpacked on the way.",
  reference: "https://networkx.org/documentation/stable/reference/readwrite/edgelist.html",
  extensions: [],
  options: z.strictObject({ encoding: encodingOption }),
  open: async (path, _options, name, limits = defaultReadingLimits) => {
    const { openGraphFile } = await import("../graph-files/open-graph-file.ts");
    const { parseNetworkxEdges } = await import("../graph-files/networkx-edges.ts");
    return openGraphFile(parseNetworkxEdges, "edges", path, name, limits);
  },
});
