import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** Apache Parquet with flat columns and lists of numbers; ids are read as the text that their values print as. */
export const parquetReader = defineReader({
  name: "parquet",
  version: 1,
  title: "Parquet",
  summary: "Apache Parquet with flat columns and lists of numbers, in any compression.",
  extensions: [".parquet", ".pq"],
  options: z.strictObject({}),
  open: async (path, _options, name, limits = defaultReadingLimits) =>
    (await import("../parquet/open-parquet.ts")).openParquet(path, name, limits),
});
