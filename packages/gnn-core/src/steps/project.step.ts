import { defineStep } from "../components/define-step.ts";
import { mapOptions } from "../spec/map-options.ts";

/** `graph`, `remapped` → `projection`: the embeddings as points of a plane, with what is known of their nodes. */
export const projectStep = defineStep({
  name: "project",
  version: 3,
  title: "Project",
  summary:
    "Lays a sample of the embeddings, every class in its share, on a plane by their principal components and by UMAP.",
  options: mapOptions,
  inputs: ["graph", "remapped"],
  output: "projection",
  ranks: "one",
  reusable: true,
  run: async (context) => (await import("../export/project.ts")).project(context),
});
