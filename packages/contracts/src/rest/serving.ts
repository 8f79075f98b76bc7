import { z } from "zod";
import { limits } from "../limits.ts";
import { route } from "./route.ts";
import { idParams } from "./shapes.ts";

const nodeId = z.string().min(1).max(1000);

/** What makes nodes near: the cosine of their embeddings, their dot product, or their Euclidean distance. */
export const neighborMetric = z.enum(["cosine", "dot", "l2"]);

const neighborFields = {
  id: nodeId.optional().describe("Your id of a node, which is none of its own neighbours"),
  vector: z
    .array(z.number())
    .min(1)
    .max(limits.vectorLength)
    .optional()
    .describe("As wide as the embeddings, in place of an id"),
  k: z.number().int().min(1).max(limits.neighbors).default(10),
  metric: neighborMetric.default("cosine"),
  type: z.string().max(200).optional().describe("Only nodes of this type"),
  label: z.string().max(1000).optional().describe("Only nodes with this label"),
};

const isOneGiven = ({ id, vector }: { id?: string | undefined; vector?: number[] | undefined }) =>
  (id === undefined) !== (vector === undefined);
const isOneFilter = ({ type, label }: { type?: string | undefined; label?: string | undefined }) =>
  type === undefined || label === undefined;
const oneGiven = { error: "expected either an id or a vector", path: ["id"] };
const oneFilter = { error: "expected a type or a label, not both", path: ["type"] };

export const neighborsQuery = z
  .strictObject(neighborFields)
  .refine(isOneGiven, oneGiven)
  .refine(isOneFilter, oneFilter)
  .meta({ id: "NeighborsQuery" });
export type NeighborsQuery = z.infer<typeof neighborsQuery>;

/** Which rows of a model answer */
const ofModel = {
  version: z
    .number()
    .int()
    .min(1)
    .max(999_999_999)
    .optional()
    .describe("Left out: the version in production, else the newest candidate"),
  dataset: z
    .string()
    .max(120)
    .optional()
    .describe("A dataset version, id@number, that the model was trained on or applied to; left out: the newest rows"),
};

export const modelNeighborsQuery = z
  .strictObject({ ...neighborFields, ...ofModel })
  .refine(isOneGiven, oneGiven)
  .refine(isOneFilter, oneFilter)
  .meta({ id: "ModelNeighborsQuery" });
export type ModelNeighborsQuery = z.infer<typeof modelNeighborsQuery>;

const newEdge = z
  .strictObject({
    from: nodeId.optional().describe("The other end of an edge that leads to the new node"),
    to: nodeId.optional().describe("The other end of an edge that leads from the new node; undirected: either of both"),
    relation: z
      .string()
      .max(1000)
      .optional()
      .describe("Where edges of the graph have types: the one that its files have; those that lead back are added"),
    weight: z.number().optional().describe("Where edges of the graph have weights"),
  })
  .meta({ id: "NewEdge" });

const featureCell = z.union([z.number(), z.string().max(1000), z.null(), z.array(z.number()).max(limits.vectorLength)]);

const newNode = z
  .strictObject({
    id: nodeId.describe("An id that the graph does not have"),
    type: z.string().max(1000).optional().describe("Where nodes of the graph have types"),
    features: z
      .union([z.array(z.number()), z.record(z.string().max(1000), featureCell)])
      .optional()
      .describe(
        "By column of the nodes file, or of that of its type; where a matrix has the features, all numbers of a row, or those that are not 0 by their columns, counted from 0",
      ),
    edges: z
      .array(newEdge)
      .max(limits.newEdges)
      .default([])
      .describe("Edges between the new node and nodes of the graph, or other new ones"),
  })
  .meta({ id: "NewNode" });

const predictFields = {
  ids: z.array(nodeId).max(limits.predictedIds).default([]).describe("Your ids of nodes of the stored graph"),
  nodes: z
    .array(newNode)
    .max(limits.newNodes)
    .default([])
    .describe("Nodes that the graph does not have, as their rows and edges would stand in its files"),
  embeddings: z.boolean().default(false).describe("Answers the embedding of each node, too"),
};

const isAnyAsked = ({ ids, nodes }: { ids: string[]; nodes: unknown[] }) => ids.length + nodes.length > 0;
const areEdgesFew = ({ nodes }: { nodes: { edges: unknown[] }[] }) =>
  nodes.reduce((sum, { edges }) => sum + edges.length, 0) <= limits.newEdges;
const anyAsked = { error: "expected ids, or nodes, or both", path: ["ids"] };
const fewEdges = { error: `expected at most ${limits.newEdges} edges in all`, path: ["nodes"] };

export const predictQuery = z
  .strictObject(predictFields)
  .refine(isAnyAsked, anyAsked)
  .refine(areEdgesFew, fewEdges)
  .meta({ id: "PredictQuery" });
export type PredictQuery = z.infer<typeof predictQuery>;

export const modelPredictQuery = z
  .strictObject({ ...predictFields, ...ofModel })
  .refine(isAnyAsked, anyAsked)
  .refine(areEdgesFew, fewEdges)
  .meta({ id: "ModelPredictQuery" });
export type ModelPredictQuery = z.infer<typeof modelPredictQuery>;

const explainFields = {
  id: nodeId.describe("Your id of a node of the stored graph, or of one of `nodes`"),
  nodes: z
    .array(newNode)
    .max(limits.newNodes)
    .default([])
    .describe("Nodes that the graph does not have, as predict takes them; one of them is explained"),
  class: z.string().max(1000).optional().describe("Which class is explained; left out: the predicted one"),
  edges: z.number().int().min(1).max(limits.explainedItems).default(10).describe("How many edges are told"),
  features: z.number().int().min(1).max(limits.explainedItems).default(10).describe("How many features are told"),
  steps: z.number().int().min(1).max(limits.explainSteps).default(200),
  seed: z.number().int().min(0).max(0xffffffff).default(0).describe("The same seed gives the same explanation"),
};

const isOneOfNodes = ({ id, nodes }: { id: string; nodes: { id: string }[] }) =>
  nodes.length === 0 || nodes.some((node) => node.id === id);
const oneOfNodes = { error: "expected the id of one of the nodes; leave these out for a stored node", path: ["id"] };

export const explainQuery = z
  .strictObject(explainFields)
  .refine(isOneOfNodes, oneOfNodes)
  .refine(areEdgesFew, fewEdges)
  .meta({ id: "ExplainQuery" });
export type ExplainQuery = z.infer<typeof explainQuery>;

export const modelExplainQuery = z
  .strictObject({ ...explainFields, ...ofModel })
  .refine(isOneOfNodes, oneOfNodes)
  .refine(areEdgesFew, fewEdges)
  .meta({ id: "ModelExplainQuery" });
export type ModelExplainQuery = z.infer<typeof modelExplainQuery>;

/** Whose rows an answer was read from */
const readFrom = {
  job: z.string().describe("The job whose rows these are: it trained the model, or applied it"),
  dataset: z.string().describe("The dataset version of the rows, id@number"),
  model: z.string().nullable().describe("The version of the model, name@number; null: a job was asked, not a model"),
};

const neighborRow = z
  .object({ id: z.string(), score: z.number().describe("Cosine, dot product, or distance by l2") })
  .meta({ id: "Neighbor" });

export const neighborsAnswer = z
  .object({
    ...readFrom,
    metric: neighborMetric,
    neighbors: z.array(neighborRow).describe("The nearest first; equally near ones in the order of the dataset"),
  })
  .meta({ id: "Neighbors" });
export type NeighborsAnswer = z.infer<typeof neighborsAnswer>;

const predictionRow = z
  .object({
    id: z.string(),
    values: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe("The columns of an export of predictions; null: not known"),
    embedding: z.array(z.number()).optional().describe("If it was asked for"),
  })
  .meta({ id: "Prediction" });

export const predictionsAnswer = z
  .object({ ...readFrom, predictions: z.array(predictionRow).describe("In the order of the ids, then of the nodes") })
  .meta({ id: "Predictions" });
export type PredictionsAnswer = z.infer<typeof predictionsAnswer>;

const explainedEdge = z
  .object({
    from: z.string(),
    to: z.string(),
    weight: z.number().describe("From 0 to 1"),
    relation: z.string().optional().describe("Type of the edge, where the graph has several"),
  })
  .meta({ id: "ExplainedEdge" });
const explainedFeature = z
  .object({ name: z.string(), weight: z.number().describe("From 0 to 1") })
  .meta({ id: "ExplainedFeature" });

/** Why a model gives a node its class */
export const explained = z.object({
  id: z.string(),
  class: z.string().describe("The class that is explained"),
  probability: z.number().describe("That of the class, as the model computes it: without its temperature"),
  numEdges: z.number().int().describe("Edges that the prediction is computed from"),
  numFeatures: z.number().int(),
  edges: z.array(explainedEdge).describe("The most important first; messages go from `from` to `to`"),
  features: z.array(explainedFeature).describe("The most important first"),
  fidelityPlus: z.number().describe("Probability lost without these edges and features: near `probability` is good"),
  fidelityMinus: z.number().describe("Probability lost with these alone: near 0 is good"),
});
export const explanationAnswer = z.object({ ...readFrom, ...explained.shape }).meta({ id: "Explanation" });
export type ExplanationAnswer = z.infer<typeof explanationAnswer>;

const tag = "serving";
const problems = [
  "NODE_UNKNOWN",
  "NODE_EXISTS",
  "NODE_TOO_COSTLY",
  "SPEC_INVALID",
  "JOB_WITHOUT_RESULTS",
  "REQUEST_CONFLICT",
  "ARTIFACT_DAMAGED",
] as const;

/** Single questions, answered at once from rows that are kept ready. */
export const servingRoutes = {
  findJobNeighbors: route({
    method: "POST",
    path: "/v1/jobs/:id/neighbors",
    tag,
    summary: "The nearest nodes to a node or a vector by a job's embeddings, found exactly",
    params: idParams,
    body: neighborsQuery,
    answers: { 200: neighborsAnswer },
    problems,
  }),
  predictByJob: route({
    method: "POST",
    path: "/v1/jobs/:id/predict",
    tag,
    summary: "What a job predicts of some nodes of its graph, and its model of new ones",
    params: idParams,
    body: predictQuery,
    answers: { 200: predictionsAnswer },
    problems: [...problems, "CANCELLED"],
  }),
  explainByJob: route({
    method: "POST",
    path: "/v1/jobs/:id/explain",
    tag,
    summary: "Why a job's model gives a node its class: the edges and features that decide (GNNExplainer)",
    params: idParams,
    body: explainQuery,
    answers: { 200: explanationAnswer },
    problems: [...problems, "CANCELLED"],
  }),
  explain: route({
    method: "POST",
    path: "/v1/models/:id/explain",
    tag,
    summary: "Why a version of a model gives a node its class: the edges and features that decide (GNNExplainer)",
    params: idParams,
    body: modelExplainQuery,
    answers: { 200: explanationAnswer },
    problems: [...problems, "CANCELLED"],
  }),
  findModelNeighbors: route({
    method: "POST",
    path: "/v1/models/:id/neighbors",
    tag,
    summary: "The nearest nodes to a node or a vector by the embeddings of a model's version, found exactly",
    params: idParams,
    body: modelNeighborsQuery,
    answers: { 200: neighborsAnswer },
    problems,
  }),
  predict: route({
    method: "POST",
    path: "/v1/models/:id/predict",
    tag,
    summary: "What a version of a model predicts of some nodes of a stored graph, and of new ones",
    params: idParams,
    body: modelPredictQuery,
    answers: { 200: predictionsAnswer },
    problems: [...problems, "CANCELLED"],
  }),
};
