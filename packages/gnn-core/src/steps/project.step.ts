import { z } from "zod";
import { defineStep } from "../components/define-step.ts";

const options = z.strictObject({
  maxPoints: z.number().int().min(100).max(50_000).default(50_000).describe("Points drawn at most"),
});

/** `graph`, `remapped` → `projection`: the embeddings as points of a plane, with the ids and labels of their nodes. */
export const projectStep = defineStep({
  name: "project",
  version: 2,
  title: "Project",
  summary: "Lays a sample of the embeddings, every class in its share, on a plane by their principal components.",
  options,
  inputs: ["graph", "remapped"],
  output: "projection",
  ranks: "one",
  reusable: true,
  run: async (context) => (await import("../export/project.ts")).project(context),
});
