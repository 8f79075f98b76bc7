import type { PresetProposal } from "@hopwise/gnn-core/spec";
import { builder } from "../base/builder.ts";
import { nestedListCost } from "../base/costs.ts";
import { PresetType } from "./catalog.ts";

export const PresetProposalType = builder.objectRef<PresetProposal>("PresetProposal").implement({
  description: "The preset that suits a graph by its figures",
  fields: (t) => ({
    reason: t.exposeString("reason", { description: "The graph's figures, and what they ask for" }),
    preset: t.field({
      type: PresetType,
      description: "With features read as those of this graph ask for",
      resolve: ({ preset }) => preset,
    }),
    others: t.field({
      type: [PresetType],
      complexity: nestedListCost(50),
      description: "All others: those for the same situation first, the most advisable before the rest",
      resolve: ({ others }) => [...others],
    }),
  }),
});
