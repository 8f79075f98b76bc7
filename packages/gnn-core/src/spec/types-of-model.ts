import { z } from "zod";

/** A knowledge graph has a few hundred relations, and twice that with those that lead back. */
const mostTypes = 100_000;

/** How a model counts the types of a graph other than the one that it was trained on. */
export const typesOfModel = z.strictObject({
  nodes: z.array(z.string()).max(mostTypes).describe("Types of nodes, in the order in which the model counts them"),
  edges: z
    .array(z.string())
    .max(mostTypes)
    .describe("Types of edges likewise; edges of other types are not read, as nothing was learnt of them"),
});
export type TypesOfModel = z.infer<typeof typesOfModel>;
