import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { encodingOption } from "../encoding/encodings.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** One JSON object with a list for each id, as the features of MUSAE's graphs come. */
export const jsonListsReader = defineReader({
  name: "json-lists",
  version: 1,
  title: "JSON lists by key",
  summary:
    'One object with a list for each key, such as {"0": [12, 55], "1": []}: a row for each, with its key and its list (texts of a list stand between bars); .gz is unpacked on the way.',
  reference: "https://snap.stanford.edu/data/facebook-large-page-page-network.html",
  extensions: [],
  options: z.strictObject({ encoding: encodingOption }),
  open: async (path, _options, name, limits = defaultReadingLimits) =>
    (await import("../json-lists/open-json-lists.ts")).openJsonLists(path, name, limits),
});
