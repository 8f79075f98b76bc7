import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { logged } from "./logged.ts";

/** `edgeRows`, `model`, `remapped` → `edgePredictions`: what a task on labelled edges predicts of each. */
export const predictEdgesStep = defineStep({
  name: "predictEdges",
  version: 1,
  title: "Predict edges",
  summary: "Predicts every labelled edge, and those whose label is not known, from the rows of both ends.",
  options: z.strictObject({}),
  inputs: ["edgeRows", "model", "remapped"],
  output: "edgePredictions",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Edges predicted",
      async () => (await import("./run-predict-edges-step.ts")).runPredictEdgesStep(context),
      ({ numEdges, metrics }) => ({ edges: numEdges, ...metrics }),
    ),
});
