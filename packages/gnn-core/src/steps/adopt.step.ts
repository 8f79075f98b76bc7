import { defineStep } from "../components/define-step.ts";
import { adoptOptions } from "../spec/adopt-options.ts";

/** Uploaded weights → a model, when they are those of the model that the card describes. */
export const adoptStep = defineStep({
  name: "adopt",
  version: 1,
  title: "Check an uploaded model",
  summary: "Holds uploaded weights against the model that its card describes, tensor by tensor.",
  options: adoptOptions,
  inputs: ["files"],
  output: "model",
  ranks: "one",
  run: async (context) => (await import("./run-adopt-step.ts")).runAdoptStep(context),
});
