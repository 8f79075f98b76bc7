import { z } from "zod";
import { defineStep } from "../components/define-step.ts";
import { mostNewNeighbors } from "../spec/link-split.ts";
import { typesOfModel } from "../spec/types-of-model.ts";
import { logged } from "./logged.ts";

export const recommendStepOptions = z.strictObject({
  newNeighbors: mostNewNeighbors.optional().describe("Left out: as many as the model's task says"),
  types: typesOfModel.optional().describe("Left out: types are counted as the graph counts them"),
});
export type RecommendStepOptions = z.infer<typeof recommendStepOptions>;

/** `graph`, `links`, `model`, `remapped` → `recommended`: what a task on edges predicts. */
export const recommendStep = defineStep({
  name: "recommend",
  version: 3,
  title: "Recommend",
  summary: "Scores the held-out pairs, and finds of every node the likeliest neighbours that it does not have yet.",
  options: recommendStepOptions,
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
