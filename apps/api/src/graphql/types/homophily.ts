import type { ArtifactInfo } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";

type GraphInfo = ArtifactInfo<"graph">;

export const HomophilyType = builder.objectRef<NonNullable<GraphInfo["homophily"]>>("Homophily").implement({
  description: "How often edges join nodes of one class",
  fields: (t) => ({
    edges: t.expose("edges", { type: "SafeInt", description: "Stored edges between two different labelled nodes" }),
    share: t.float({
      description: "Edge homophily: of these, the share that joins nodes of one class",
      resolve: ({ edges, same }) => same / edges,
    }),
    expected: t.exposeFloat("expected", {
      description: "That share if edges were drawn at random between nodes of these degrees",
    }),
  }),
});
