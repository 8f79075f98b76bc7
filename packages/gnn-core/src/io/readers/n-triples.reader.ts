import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** RDF with a triple on each line. */
export const nTriplesReader = defineReader({
  name: "n-triples",
  version: 1,
  title: "N-Triples",
  summary:
    "RDF, one triple a line; the columns are subject, predicate and object. Triples that end in a literal are left out, and counted; .gz is unpacked on the way.",
  reference: "https://www.w3.org/TR/n-triples",
  extensions: [".nt", ".nt.gz"],
  options: z.strictObject({}),
  open: async (path, _options, name, limits = defaultReadingLimits) =>
    (await import("../rdf/open-n-triples.ts")).openNTriples(path, name, limits),
});
