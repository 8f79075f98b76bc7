import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { selectTargets } from "../graph/node-targets.ts";
import { edgeHeadOf, edgeHeadParameters, edgeOptions, edgeRowsObjection, edgesObjection } from "./edge-options.ts";
import { offeredSplit } from "./edge-split.ts";
import { columnsOf, numberColumns, numberJudge, regressionOptions } from "./node-regression.task.ts";
import { numberMetrics } from "./task-metrics.ts";
import { unsuitableData } from "./unsuitable-data.ts";

/** Numbers of edges, by the error of the standardised targets. */
export const edgeRegression = defineTask({
  name: "edgeRegression",
  version: 1,
  title: "Numbers of an edge",
  summary: "Learns one or several numbers of each edge, such as the rating that one node gives another.",
  reference: "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs, arXiv:1706.02216",
  options: z.strictObject({ ...regressionOptions, ...edgeOptions }),
  seeds: "edgeRows",
  metrics: numberMetrics,
  chiefMetric: "mae",
  selectionMetric: "loss",
  choices: (dataset) => {
    const targets = dataset.labelledEdges?.targets ?? [];
    const split = offeredSplit(dataset.labelledEdges);
    const single = targets.map((target) => ({ label: `Number of an edge: ${target}`, options: { target, ...split } }));
    const all = { label: `Numbers of an edge: ${targets.join(", ")}`, options: { target: [...targets], ...split } };
    return targets.length > 1 ? [...single, all] : single;
  },
  check: (options, dataset) => {
    const objection = edgesObjection(options, dataset);
    if (objection) return objection;
    const known = dataset.labelledEdges?.targets ?? [];
    const missing = columnsOf(options.target).filter((name) => !known.includes(name));
    if (missing.length === 0) return null;
    const found = known.length > 0 ? `they have ${known.join(", ")}` : "no column is mapped as a number to predict";
    return { option: "target", message: `The edges have no target column ${missing.join(", ")}: ${found}.` };
  },
  checkGraph: ({ target }, graph) => {
    const isUnknown = (name: string) => graph.edgeRows?.targets.find((one) => one.name === name)?.count === 0;
    const unknown = columnsOf(target).find(isUnknown);
    if (unknown === undefined) return edgeRowsObjection(graph);
    return { option: "target", message: `No edge has a value of "${unknown}". Map another target column.` };
  },
  outDim: ({ dim }) => dim,
  split: ({ split }) => split,
  featuresOfEdges: ({ edgeFeatures }) => edgeFeatures,
  numParameters: (options, graph) => edgeHeadParameters(options, graph, columnsOf(options.target).length),
  head: edgeHeadOf,
  create: ({ target, loss, huberDelta, standardize, ...rest }, { targets }) => {
    const selected = targets && selectTargets(targets, columnsOf(target));
    if (!selected) throw unsuitableData(`The edges have no target column ${columnsOf(target).join(", ")}.`, "target");
    const goal = { type: "regression", targets: selected, loss, huberDelta, standardize } as const;
    return { goal, ...edgeHeadOf(rest) };
  },
  judge: ({ target }, edges) => numberJudge(edges, columnsOf(target)),
  columns: ({ target }, edges) => numberColumns(edges, columnsOf(target)),
});
