import { z } from "zod";
import { defineStep } from "../spec/define-step.ts";

/** `graph`, `parts`, `inferred` → `remapped`: rows in the order of the original ids. */
export const remapStep = defineStep({
  name: "remap",
  version: 1,
  title: "Remap",
  summary: "Brings embeddings and logits into the order of the original ids and counts the accuracies again.",
  options: z.strictObject({}),
  inputs: ["graph", "parts", "inferred"],
  output: "remapped",
  ranks: "one",
  reusable: true,
  run: async (context) => (await import("../export/remap.ts")).remap(context),
});
