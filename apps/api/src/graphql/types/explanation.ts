import { type ExplanationAnswer, limits, modelExplainQuery } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";
import { askedOf, NewNodeInput } from "./serving.ts";

const ExplainedEdgeType = builder.objectRef<ExplanationAnswer["edges"][number]>("ExplainedEdge").implement({
  fields: (t) => ({
    from: t.exposeString("from"),
    to: t.exposeString("to"),
    weight: t.exposeFloat("weight", { description: "From 0 to 1" }),
    relation: t.exposeString("relation", {
      nullable: true,
      description: "Type of the edge, where the graph has several",
    }),
  }),
});

const ExplainedFeatureType = builder.objectRef<ExplanationAnswer["features"][number]>("ExplainedFeature").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    weight: t.exposeFloat("weight", { description: "From 0 to 1" }),
  }),
});

const ExplanationType = builder.objectRef<ExplanationAnswer>("Explanation").implement({
  description: "Why a model gives a node its class: the edges and features that decide",
  fields: (t) => ({
    job: t.exposeID("job", { description: "The job whose model this is, or that applied it" }),
    dataset: t.exposeString("dataset", { description: "The dataset version, id@number" }),
    model: t.exposeString("model", { nullable: true, description: "name@number; null: a job was asked, not a model" }),
    id: t.exposeString("id", { description: "Your id of the node" }),
    class: t.exposeString("class"),
    probability: t.exposeFloat("probability", { description: "That of the class, without the model's temperature" }),
    numEdges: t.exposeInt("numEdges", { description: "Edges that the prediction is computed from" }),
    numFeatures: t.exposeInt("numFeatures"),
    edges: t.field({ type: [ExplainedEdgeType], resolve: ({ edges }) => edges }),
    features: t.field({ type: [ExplainedFeatureType], resolve: ({ features }) => features }),
    fidelityPlus: t.exposeFloat("fidelityPlus", {
      description: "Probability lost without these edges and features: near `probability` is good",
    }),
    fidelityMinus: t.exposeFloat("fidelityMinus", {
      description: "Probability lost with these alone: near 0 is good",
    }),
  }),
});

builder.queryFields((t) => ({
  explanation: t.field({
    type: ExplanationType,
    description: "Why a job's model, or a kept one, gives a node its class (GNNExplainer)",
    args: {
      job: t.arg.id({ description: "One of it and `model`" }),
      model: t.arg.id(),
      version: t.arg.int({ description: "The model's; left out: that in production, else the newest candidate" }),
      dataset: t.arg.string({ description: "A dataset version of the model's rows, id@number; left out: the newest" }),
      id: t.arg.string({ required: true, description: "Your id of the node" }),
      nodes: t.arg({ type: [NewNodeInput] }),
      class: t.arg.string({ description: "Which class is explained; left out: the predicted one" }),
      edges: t.arg.int({ description: `How many edges are told, ${limits.explainedItems} at most; left out: 10` }),
      features: t.arg.int({ description: "How many features are told; left out: 10" }),
      steps: t.arg.int({ description: `${limits.explainSteps} at most; left out: 200` }),
      seed: t.arg.int({ description: "The same seed gives the same explanation" }),
    },
    complexity: { field: costs.mutation, multiplier: 20 },
    resolve: (_root, { job, model, ...rest }, { services, viewer, work }) => {
      const { version, dataset, ...query } = soundArguments(modelExplainQuery, rest);
      const asked = askedOf(job, model, { version, dataset });
      return services.serving.explain(services, viewer, asked, { query, gone: work.signal });
    },
  }),
}));
