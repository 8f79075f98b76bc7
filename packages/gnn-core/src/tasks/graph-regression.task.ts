import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { selectTargets } from "../graph/node-targets.ts";
import { foldsObjection, foldsOf, graphOptions, graphsObjection, headOf, headParameters } from "./graph-options.ts";
import { columnsOf, numberColumns, numberJudge, regressionOptions } from "./node-regression.task.ts";
import { numberMetrics } from "./task-metrics.ts";
import { unsuitableData } from "./unsuitable-data.ts";

/** Numbers of graphs, from a row that is read out of each graph's nodes. */
export const graphRegression = defineTask({
  name: "graphRegression",
  version: 1,
  title: "Numbers of a graph",
  summary: "Learns one or several numbers of each graph of a set, such as how well a molecule dissolves.",
  options: z.strictObject({ ...regressionOptions, ...graphOptions }),
  seeds: "graphs",
  metrics: numberMetrics,
  chiefMetric: "mae",
  selectionMetric: "loss",
  choices: ({ graphs }) => {
    const targets = graphs?.targets ?? [];
    const single = targets.map((target) => ({ label: `Number of a graph: ${target}`, options: { target } }));
    const all = { label: `Numbers of a graph: ${targets.join(", ")}`, options: { target: [...targets] } };
    return targets.length > 1 ? [...single, all] : single;
  },
  check: (options, dataset) => {
    const objection = graphsObjection(options, dataset);
    if (objection) return objection;
    const known = dataset.graphs?.targets ?? [];
    const missing = columnsOf(options.target).filter((name) => !known.includes(name));
    if (missing.length === 0) return null;
    const found = known.length > 0 ? `they have ${known.join(", ")}` : "no column is mapped as a number to predict";
    return { option: "target", message: `The graphs have no target column ${missing.join(", ")}: ${found}.` };
  },
  checkGraph: (options, graph) => foldsObjection(options, graph),
  outDim: ({ dim }) => dim,
  folds: foldsOf,
  numParameters: (options) => headParameters(options, columnsOf(options.target).length),
  head: headOf,
  create: ({ target, loss, huberDelta, standardize, ...rest }, { targets }, kit) => {
    const selected = targets && selectTargets(targets, columnsOf(target));
    if (!selected) throw unsuitableData(`The graphs have no target column ${columnsOf(target).join(", ")}.`, "target");
    return {
      goal: { type: "regression", targets: selected, loss, huberDelta, standardize },
      ...headOf(rest, kit),
    };
  },
  judge: ({ target }, graphs) => numberJudge(graphs, columnsOf(target)),
  columns: ({ target }, graphs) => numberColumns(graphs, columnsOf(target)),
});
