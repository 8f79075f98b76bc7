import { defineStep } from "../components/define-step.ts";
import { edgeRowsOptions } from "../spec/edge-rows-options.ts";
import { logged } from "./logged.ts";

/** `graph` → `edgeRows`: which labelled edges are learnt from, and which are held out. */
export const splitEdgesStep = defineStep({
  name: "splitEdges",
  version: 1,
  title: "Split edges",
  summary: "Tells labelled edges to learn from and held-out ones apart.",
  options: edgeRowsOptions,
  inputs: ["graph"],
  output: "edgeRows",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Edges split",
      async () => (await import("./run-split-edges-step.ts")).runSplitEdgesStep(context),
      ({ numEdges, splits }) => ({ edges: numEdges, ...splits }),
    ),
});
