import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { edgeHeadOf, edgeHeadParameters, edgeOptions, edgeRowsObjection, edgesObjection } from "./edge-options.ts";
import { offeredSplit } from "./edge-split.ts";
import { classColumns, classJudge } from "./node-classification.task.ts";
import { classMetrics } from "./task-metrics.ts";

/** One class per edge, by softmax cross-entropy of the rows of its two ends and its own features. */
export const edgeClassification = defineTask({
  name: "edgeClassification",
  version: 1,
  title: "Class of an edge",
  summary: "Learns which one of several classes each edge has, such as whether a payment is fraud.",
  reference: "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs, arXiv:1706.02216",
  options: z.strictObject({
    target: z.string().describe("The label column of the edges: one class per edge"),
    classWeights: z
      .enum(["none", "balanced"])
      .default("none")
      .describe("balanced: every class weighs the same in the loss"),
    ...edgeOptions,
  }),
  seeds: "edgeRows",
  metrics: classMetrics,
  chiefMetric: "accuracy",
  selectionMetric: "accuracy",
  choices: (dataset) => {
    const label = dataset.labelledEdges?.label;
    return label === undefined
      ? []
      : [{ label: `Class of an edge: ${label}`, options: { target: label, ...offeredSplit(dataset.labelledEdges) } }];
  },
  check: (options, dataset) => {
    const objection = edgesObjection(options, dataset);
    const label = dataset.labelledEdges?.label;
    if (objection || label === options.target) return objection;
    const found = label ? `their label column is "${label}"` : "they have no label column";
    return { option: "target", message: `The edges have no label column "${options.target}": ${found}.` };
  },
  checkGraph: (_options, graph) => {
    const classes = graph.edgeRows?.classes ?? [];
    if (!graph.edgeRows || classes.length >= 2) return edgeRowsObjection(graph);
    const found = classes.length === 1 ? `all labelled edges are of the class "${classes[0]}"` : "no edge is labelled";
    return { option: "target", message: `There is nothing to tell apart: ${found}. Map another label column.` };
  },
  outDim: ({ dim }) => dim,
  split: ({ split }) => split,
  featuresOfEdges: ({ edgeFeatures }) => edgeFeatures,
  numParameters: (options, graph) => edgeHeadParameters(options, graph, graph.edgeRows?.classes.length ?? 2),
  head: edgeHeadOf,
  create: (options, { labels, numClasses }) => ({
    goal: { type: "classification", labels, numClasses, classWeights: options.classWeights },
    ...edgeHeadOf(options),
  }),
  judge: (_options, edges) => classJudge(edges),
  columns: (_options, edges) => classColumns(edges),
});
