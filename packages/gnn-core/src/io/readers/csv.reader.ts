import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { decimalOption } from "../dialect/decimal-option.ts";
import { delimiters } from "../dialect/dialect.ts";
import { encodingOption } from "../encoding/encodings.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

const options = z.strictObject({
  delimiter: z
    .enum(["auto", ...delimiters])
    .default("auto")
    .describe(
      "What separates the columns; auto takes the one under which the first lines have the same number of fields",
    ),
  header: z
    .union([z.literal("auto"), z.boolean()])
    .default("auto")
    .describe(
      "Whether the first line names the columns; else they are column1, column2 …; auto compares it with the lines below",
    ),
  comment: z
    .enum(["auto", "none", "#", "%", "//"])
    .default("auto")
    .describe("Lines at the top that begin with this are skipped; auto: with #, % or //"),
  escape: z
    .enum(["auto", '"', "\\"])
    .default("auto")
    .describe(
      "What stands before a quote inside a quoted value: another quote or a backslash; auto: the backslash where the first rows are a table with it and none without",
    ),
  decimal: decimalOption,
  encoding: encodingOption,
});

/** Comma- or tab-separated text with quotes as in RFC 4180, plain, gzipped or zstd-compressed. */
export const csvReader = defineReader({
  name: "csv",
  version: 2,
  title: "CSV or TSV",
  summary: "Delimited text, quoted as in RFC 4180; .gz and .zst are unpacked on the way.",
  extensions: [".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"],
  options,
  open: async (path, chosen, name, limits = defaultReadingLimits) =>
    (await import("../csv/open-csv.ts")).openCsv(path, chosen, name, limits),
});
