import { defineStep } from "../components/define-step.ts";
import { mapOptions } from "../io/preview/map-options.ts";

/** Uploaded files → preview with a proposed dataset spec. */
export const mapStep = defineStep({
  name: "map",
  version: 9,
  title: "Preview",
  summary: "Samples the uploaded files, recognises their columns and proposes how they become a graph.",
  options: mapOptions,
  inputs: ["files"],
  output: "preview",
  ranks: "one",
  reusable: true,
  seconds: "previewSeconds",
  run: async (context) => (await import("../io/preview/preview.ts")).preview(context),
});
