import { defineStep } from "../components/define-step.ts";
import { edgeRowsOptions } from "../spec/edge-rows-options.ts";
import { logged } from "./logged.ts";

/**
 * `graph` → `edgeRows`: which labelled edges are learnt from, and which are held out; with a `model`, the edges that it
 * is applied to.
 */
export const splitEdgesStep = defineStep({
  name: "splitEdges",
  // 2: how features were standardised is written down
  version: 2,
  title: "Split edges",
  summary: "Tells labelled edges to learn from and held-out ones apart.",
  options: edgeRowsOptions,
  inputs: ["graph"],
  readsIfMade: ["model"],
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
