import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

const options = z.strictObject({
  sheet: z
    .string()
    .max(31)
    .default("")
    .describe(
      "The name of the sheet; left out, the one that the file's name ends with (book.xlsx/edges), or the first",
    ),
  header: z
    .union([z.literal("auto"), z.boolean()])
    .default("auto")
    .describe(
      "Whether the first row names the columns; else they are column1, column2 …; auto compares it with others",
    ),
});

/** Excel workbooks as they have been written since 2007; formulas count by the results that are stored with them. */
export const xlsxReader = defineReader({
  name: "xlsx",
  version: 1,
  title: "Excel workbook",
  summary: "One sheet of a workbook as a table; formulas are not computed, the results stored with them are read.",
  reference: "https://ecma-international.org/publications-and-standards/standards/ecma-376/",
  extensions: [".xlsx", ".xlsm"],
  options,
  open: async (path, chosen, name, limits = defaultReadingLimits) =>
    (await import("../xlsx/open-xlsx.ts")).openXlsx(path, chosen, name, limits),
});
