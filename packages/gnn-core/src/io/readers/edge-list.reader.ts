import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { decimalOption } from "../dialect/decimal-option.ts";
import { encodingOption } from "../encoding/encodings.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

const options = z.strictObject({
  comment: z
    .union([z.literal(["auto", "none", "//"]), z.string().length(1)])
    .default("auto")
    .describe("Lines that begin with this are skipped; auto: what the first line begins with, if it is #, % or //"),
  header: z
    .union([z.literal("auto"), z.boolean()])
    .default("auto")
    .describe("Whether the first line names the columns; auto compares it with the lines below"),
  decimal: decimalOption,
  encoding: encodingOption,
});

/** Plain edge lists as the SNAP collection has them: ids between blanks or tabs. */
export const edgeListReader = defineReader({
  name: "edge-list",
  version: 2,
  title: "Edge list",
  summary:
    "Plain text, one edge a line, ids between blanks or tabs; the columns are src, dst, column3 … unless the first line or a comment names them.",
  reference: "https://snap.stanford.edu/data",
  extensions: [".txt", ".txt.gz", ".txt.zst", ".edges", ".edgelist", ".el"],
  options,
  open: async (path, chosen, name, limits = defaultReadingLimits) =>
    (await import("../edge-list/open-edge-list.ts")).openEdgeList(path, chosen, name, limits),
});
