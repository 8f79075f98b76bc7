import type { RelationFiguresAnswer } from "@hopwise/contracts";
import { relationFiguresOf } from "../../jobs/relation-figures.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";

/** Entries of the list, as the step that writes it bounds them */
const mostRelations = 500;

const HeldOutLinksType = builder.objectRef<RelationFiguresAnswer["numLinks"]>("HeldOutLinks").implement({
  fields: (t) => ({
    val: t.expose("val", { type: "SafeInt" }),
    test: t.expose("test", { type: "SafeInt" }),
  }),
});

const RelationFiguresType = builder.objectRef<RelationFiguresAnswer>("RelationFigures").implement({
  description: "How well a job tells the held-out links of a relation from pairs without a link",
  fields: (t) => ({
    relations: t.exposeStringList("relations", {
      description: "Several where they join the same pairs of nodes, such as a relation and its reverse",
    }),
    numLinks: t.field({
      type: HeldOutLinksType,
      description: "Held-out links of the relations",
      resolve: ({ numLinks }) => numLinks,
    }),
    metrics: t.expose("metrics", {
      type: "JSON",
      complexity: costs.json,
      description: "By split and name, as `test/mrr`: of these links among the pairs that were drawn for them",
    }),
  }),
});

builder.prismaObjectField("Job", "relationFigures", (t) =>
  t.field({
    type: [RelationFiguresType],
    description: "Figures of each relation, those with the most held-out links first; empty where edges have no types",
    complexity: { field: 2 * costs.query + mostRelations, multiplier: mostRelations },
    select: { id: true },
    resolve: (job, _args, { services }) => relationFiguresOf(services, job),
  }),
);
