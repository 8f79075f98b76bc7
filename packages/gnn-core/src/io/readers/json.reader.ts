import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { encodingOption } from "../encoding/encodings.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** One JSON object for each row: a line each (JSON Lines, ndjson), or the elements of one array. */
export const jsonReader = defineReader({
  name: "json",
  version: 1,
  title: "JSON records",
  summary:
    "One object for each row, on a line of its own (JSON Lines) or in one array; the columns are the keys of the first 20,480 objects; .gz is unpacked on the way.",
  reference: "https://jsonlines.org",
  extensions: [".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz", ".json", ".json.gz"],
  options: z.strictObject({ encoding: encodingOption }),
  open: async (path, _options, name, limits = defaultReadingLimits) =>
    (await import("../json/open-json-records.ts")).openJsonRecords(path, name, limits),
});
