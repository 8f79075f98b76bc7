import { z } from "zod";
import { defineReader } from "../../spec/define-reader.ts";

const options = z.strictObject({
  comment: z.string().length(1).default("#").describe("Lines that start with this are skipped"),
});

/** Plain edge lists as the SNAP collection has them: ids between blanks or tabs, no header. */
export const edgeListReader = defineReader({
  name: "edge-list",
  version: 1,
  title: "Edge list",
  summary: "Plain text, one edge a line, ids between blanks or tabs; the columns are src, dst, column3 …",
  reference: "https://snap.stanford.edu/data",
  extensions: [".txt", ".txt.gz", ".txt.zst", ".edges", ".edgelist", ".el"],
  options,
  open: async (path, chosen, name, limits) =>
    (await import("../edge-list/open-edge-list.ts")).openEdgeList(path, chosen, name, limits),
});
