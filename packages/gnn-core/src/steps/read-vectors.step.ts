import { defineStep } from "../components/define-step.ts";
import { nodeMapBlobs } from "../partition/own-part-blobs.ts";
import { readVectorsOptions } from "../spec/vector-options.ts";
import { logged } from "./logged.ts";

/** `files`, `graph`, `parts` → `vectors`: where learned rows begin, in the order of the parts. */
export const readVectorsStep = defineStep({
  name: "readVectors",
  version: 1,
  title: "Read vectors",
  summary: "Reads vectors by the nodes' ids from an uploaded file, for learned rows to begin with.",
  options: readVectorsOptions,
  inputs: ["files", "graph", "parts"],
  output: "vectors",
  ranks: "one",
  reusable: true,
  seconds: "ingestSeconds",
  reads: (input) => (input.kind === "parts" ? nodeMapBlobs(input) : null),
  run: (context) =>
    logged(
      context,
      "Vectors read",
      async () => (await import("./run-read-vectors-step.ts")).runReadVectorsStep(context),
      ({ numKnown, numMissing, numUnknownIds }) => ({
        nodesWithVector: numKnown,
        nodesWithout: numMissing,
        unknownIds: numUnknownIds,
      }),
    ),
});
