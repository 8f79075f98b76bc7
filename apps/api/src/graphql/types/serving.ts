import {
  AppError,
  limits,
  modelNeighborsQuery,
  modelPredictQuery,
  type NeighborsAnswer,
  type PredictionsAnswer,
} from "@hopwise/contracts";
import type { Asked } from "../../serving/serving.ts";
import { builder } from "../base/builder.ts";
import { costs } from "../base/costs.ts";
import { soundArguments } from "../base/sound-arguments.ts";

const NeighborMetricEnum = builder.enumType("NeighborMetric", {
  values: {
    COSINE: { value: "cosine", description: "Cosine of the angle between two embeddings, the higher the nearer" },
    DOT: { value: "dot", description: "Dot product, the higher the nearer" },
    L2: { value: "l2", description: "Euclidean distance, the lower the nearer" },
  } as const,
});

const NeighborType = builder.objectRef<NeighborsAnswer["neighbors"][number]>("Neighbor").implement({
  fields: (t) => ({ id: t.exposeString("id", { description: "Your id of the node" }), score: t.exposeFloat("score") }),
});

const NeighborsType = builder.objectRef<NeighborsAnswer>("Neighbors").implement({
  description: "The nodes whose embeddings are nearest to those of a node, or to a vector",
  fields: (t) => ({
    job: t.exposeID("job", { description: "The job whose rows these are" }),
    dataset: t.exposeString("dataset", { description: "The dataset version of the rows, id@number" }),
    model: t.exposeString("model", { nullable: true, description: "name@number; null: a job was asked, not a model" }),
    metric: t.field({ type: NeighborMetricEnum, resolve: ({ metric }) => metric }),
    neighbors: t.field({
      type: [NeighborType],
      description: "The nearest first; equally near ones in the order of the dataset",
      resolve: ({ neighbors }) => neighbors,
    }),
  }),
});

const PredictionType = builder.objectRef<PredictionsAnswer["predictions"][number]>("Prediction").implement({
  fields: (t) => ({
    id: t.exposeString("id", { description: "Your id of the node" }),
    values: t.field({
      type: "JSON",
      description: "The columns of an export of predictions; null: not known",
      complexity: costs.json,
      resolve: ({ values }) => values,
    }),
    embedding: t.exposeFloatList("embedding", {
      nullable: true,
      description: "If it was asked for",
      complexity: costs.json,
    }),
  }),
});

const PredictionsType = builder.objectRef<PredictionsAnswer>("Predictions").implement({
  description: "What a model says of some nodes of a stored graph, and of new ones",
  fields: (t) => ({
    job: t.exposeID("job", { description: "The job whose rows these are" }),
    dataset: t.exposeString("dataset", { description: "The dataset version of the rows, id@number" }),
    model: t.exposeString("model", { nullable: true, description: "name@number; null: a job was asked, not a model" }),
    predictions: t.field({
      type: [PredictionType],
      description: "In the order of the ids, then of the nodes",
      resolve: ({ predictions }) => predictions,
    }),
  }),
});

const NewEdgeInput = builder.inputType("NewEdgeInput", {
  description: "An edge between a new node and a known one, or another new one; one of both ends is named",
  fields: (t) => ({
    from: t.string({ description: "The other end of an edge that leads to the new node" }),
    to: t.string({ description: "The other end of an edge that leads from the new node" }),
    relation: t.string({
      description: "Where edges of the graph have types: the one that its files have; those that lead back are added",
    }),
    weight: t.float({ description: "Where edges of the graph have weights" }),
  }),
});

export const NewNodeInput = builder.inputType("NewNodeInput", {
  description: "A node that the graph does not have, as its row and its edges would stand in the files of the dataset",
  fields: (t) => ({
    id: t.string({ required: true }),
    type: t.string({ description: "Where nodes of the graph have types" }),
    features: t.field({
      type: "JSON",
      description:
        "By column of the nodes file, or of that of its type; where a matrix has the features, a list of all numbers of a row",
    }),
    edges: t.field({ type: [NewEdgeInput] }),
  }),
});

/** @throws AppError REQUEST_INVALID unless one of job and model is named */
export function askedOf(job: string | null | undefined, model: string | null | undefined, choice: object): Asked {
  if (job && !model) return { job };
  if (model && !job) return { model, ...choice };
  throw new AppError("REQUEST_INVALID", "Expected either a job or a model to ask.", { place: { pointer: "/job" } });
}

builder.queryFields((t) => ({
  neighbors: t.field({
    type: NeighborsType,
    description: "The nearest nodes to a node or a vector by the embeddings of a job or a model, found exactly",
    args: {
      job: t.arg.id({ description: "One of it and `model`" }),
      model: t.arg.id(),
      version: t.arg.int({ description: "The model's; left out: that in production, else the newest candidate" }),
      dataset: t.arg.string({ description: "A dataset version of the model's rows, id@number; left out: the newest" }),
      id: t.arg.string({ description: "Your id of a node; one of it and `vector`" }),
      vector: t.arg.floatList(),
      k: t.arg.int({ description: `${limits.neighbors} at most; left out: 10` }),
      metric: t.arg({ type: NeighborMetricEnum, description: "Left out: COSINE" }),
      type: t.arg.string({ description: "Only nodes of this type" }),
      label: t.arg.string({ description: "Only nodes with this label" }),
    },
    complexity: ({ k }) => ({ field: costs.mutation, multiplier: Math.max(1, Math.min(k ?? 10, limits.neighbors)) }),
    resolve: (_root, { job, model, ...rest }, { services, viewer }) => {
      const { version, dataset, ...query } = soundArguments(modelNeighborsQuery, rest);
      return services.serving.neighbors(services, viewer, askedOf(job, model, { version, dataset }), query);
    },
  }),
  predictions: t.field({
    type: PredictionsType,
    description: "What a job or a model predicts of some nodes of a stored graph, and of new ones",
    args: {
      job: t.arg.id({ description: "One of it and `model`" }),
      model: t.arg.id(),
      version: t.arg.int({ description: "The model's; left out: that in production, else the newest candidate" }),
      dataset: t.arg.string({ description: "A dataset version of the model's rows, id@number; left out: the newest" }),
      ids: t.arg.stringList({ description: `Your ids of nodes, ${limits.predictedIds} at most` }),
      nodes: t.arg({ type: [NewNodeInput], description: `New nodes, ${limits.newNodes} at most` }),
      embeddings: t.arg.boolean({ description: "Answers the embedding of each node, too" }),
    },
    complexity: ({ ids, nodes }) => ({
      field: costs.mutation,
      multiplier: Math.max(1, Math.min((ids?.length ?? 0) + (nodes?.length ?? 0), limits.predictedIds)),
    }),
    resolve: (_root, { job, model, ...rest }, { services, viewer, work }) => {
      const { version, dataset, ...query } = soundArguments(modelPredictQuery, rest);
      const asked = askedOf(job, model, { version, dataset });
      return services.serving.predict(services, viewer, asked, { query, gone: work.signal });
    },
  }),
}));
