import { z } from "zod";
import { defineReader } from "../../components/define-reader.ts";
import { defaultReadingLimits } from "../limits/reading-limits.ts";

/** RDF as people and databases of triples write it. */
export const turtleReader = defineReader({
  name: "turtle",
  version: 1,
  title: "Turtle, TriG, N-Quads",
  summary:
    "RDF with prefixes, in named graphs or none; the columns are subject, predicate and object, addresses are whole. Triples that end in a literal are left out, and counted; .gz is unpacked on the way.",
  reference: "https://www.w3.org/TR/turtle",
  extensions: [".ttl", ".ttl.gz", ".trig", ".trig.gz", ".nq", ".nq.gz", ".n3"],
  options: z.strictObject({}),
  open: async (path, _options, name, limits = defaultReadingLimits) =>
    (await import("../rdf/open-turtle.ts")).openTurtle(path, name, limits),
});
