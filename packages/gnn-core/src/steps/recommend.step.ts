import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { logged } from "./logged.ts";

/** `graph`, `links`, `model`, `remapped` → `recommended`: what a task on edges predicts. */
export const recommendStep = defineStep({
  name: "recommend",
  version: 3,
  title: "Recommend",
  summary: "Scores the held-out pairs, and finds of every node the likeliest neighbours that it does not have yet.",
  options: z.strictObject({}),
  inputs: ["graph", "links", "model", "remapped"],
  output: "recommended",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "New neighbours found",
      async () => (await import("./run-recommend-step.ts")).runRecommendStep(context),
      ({ numNodes, perNode, numPairs, metrics }) => ({ nodes: numNodes, perNode, pairs: numPairs, ...metrics }),
    ),
});
