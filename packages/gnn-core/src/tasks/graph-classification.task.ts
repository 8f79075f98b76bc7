import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { foldsObjection, foldsOf, graphOptions, graphsObjection, headOf, headParameters } from "./graph-options.ts";
import { classColumns, classJudge } from "./node-classification.task.ts";
import { classMetrics } from "./task-metrics.ts";

/** One class per graph, by softmax cross-entropy of a row that is read out of its nodes. */
export const graphClassification = defineTask({
  name: "graphClassification",
  version: 1,
  title: "Class of a graph",
  summary: "Learns which one of several classes each graph of a set has, such as whether a molecule is toxic.",
  reference: "Xu et al. 2019, How Powerful are Graph Neural Networks?, arXiv:1810.00826",
  options: z.strictObject({
    target: z.string().describe("The label column of the graphs: one class per graph"),
    classWeights: z
      .enum(["none", "balanced"])
      .default("none")
      .describe("balanced: every class weighs the same in the loss"),
    ...graphOptions,
  }),
  seeds: "graphs",
  metrics: classMetrics,
  chiefMetric: "accuracy",
  selectionMetric: "accuracy",
  choices: ({ graphs }) =>
    graphs?.label ? [{ label: `Class of a graph: ${graphs.label}`, options: { target: graphs.label } }] : [],
  check: (options, dataset) => {
    const objection = graphsObjection(options, dataset);
    const label = dataset.graphs?.label;
    if (objection || label === options.target) return objection;
    const found = label ? `their label column is "${label}"` : "they have no label column";
    return { option: "target", message: `The graphs have no label column "${options.target}": ${found}.` };
  },
  checkGraph: (options, graph) => {
    const classes = graph.graphs?.classes ?? [];
    if (classes.length >= 2) return foldsObjection(options, graph);
    const found =
      classes.length === 1 ? `all labelled graphs are of the class "${classes[0]}"` : "no graph is labelled";
    return { option: "target", message: `There is nothing to tell apart: ${found}. Map another label column.` };
  },
  outDim: ({ dim }) => dim,
  folds: foldsOf,
  numParameters: (options, { graphs }) => headParameters(options, graphs?.classes.length ?? 2),
  head: headOf,
  create: (options, { labels, numClasses }, kit) => ({
    goal: { type: "classification", labels, numClasses, classWeights: options.classWeights },
    ...headOf(options, kit),
  }),
  judge: (_options, graphs) => classJudge(graphs),
  columns: (_options, graphs) => classColumns(graphs),
});
