import type { NewNeighborsAnswer } from "@hopwise/contracts";
import { artifactInfo } from "../../database/stored-json.ts";
import { stageOutput } from "../../jobs/job-artifacts.ts";
import { newNeighborsOf } from "../../jobs/new-neighbors.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";

const NewNeighborType = builder.objectRef<NewNeighborsAnswer["neighbors"][number]>("NewNeighbor").implement({
  fields: (t) => ({
    id: t.exposeString("id", { description: "Your id of the node" }),
    score: t.exposeFloat("score", { description: "The higher, the likelier a link; comparable within one job" }),
    type: t.exposeString("type", {
      nullable: true,
      description: "Type of the node; null: nodes of the graph are all alike",
    }),
    relations: t.exposeStringList("relations", {
      description: "Relations that lead from nodes of the one type to the other's",
    }),
  }),
});

const NewNeighborsType = builder.objectRef<NewNeighborsAnswer>("NewNeighbors").implement({
  description: "Nodes that one node is likeliest linked with and is not yet, best first",
  fields: (t) => ({
    node: t.exposeString("node"),
    relations: t.exposeStringList("relations", {
      description: "Relations of all new neighbours found, by which they can be asked for",
    }),
    neighbors: t.field({
      type: [NewNeighborType],
      complexity: { field: 100, multiplier: 100 },
      resolve: ({ neighbors }) => neighbors,
    }),
  }),
});

builder.prismaObjectFields("Job", (t) => ({
  hasNewNeighbors: t.boolean({
    description: "Whether new neighbours of its nodes can be looked up: its task learns links, and has listed some",
    complexity: costs.query,
    select: { id: true },
    resolve: async (job, _args, { services }) => {
      const artifact = await stageOutput(services, job.id, "recommended");
      return artifact !== null && artifactInfo("recommended", artifact.info).perType !== 0;
    },
  }),
  newNeighbors: t.field({
    type: NewNeighborsType,
    args: {
      node: t.arg.string({ required: true, description: "Your id of the node" }),
      relation: t.arg.string({ description: "Only neighbours that this relation can lead to" }),
    },
    complexity: 3 * costs.query,
    select: { id: true },
    resolve: (job, { node, relation }, { services }) =>
      newNeighborsOf(services, job, { node, relation: relation ?? undefined }),
  }),
}));
