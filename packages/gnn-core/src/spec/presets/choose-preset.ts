import { jobPresets } from "./catalogue.ts";
import { fitPreset, readsIdentity, suitsIdentity } from "./fit-preset.ts";
import { adjustedHomophily, type GraphFigures, isWithoutLabels, labelsPerClass } from "./graph-figures.ts";
import type { JobPreset } from "./job-preset.ts";
import { reasonFor } from "./reason.ts";
import type { SituationName } from "./situations.ts";
import { type AskedTask, situationOfTask } from "./task-situation.ts";

/** A preset for a graph, with the reason. All presets read the features as this graph's ask for (`fitPreset`). */
export interface PresetProposal {
  readonly preset: JobPreset;
  /** The graph's figures, and what they ask for, as two sentences */
  readonly reason: string;
  /** All other presets: the same situation's first, the most advisable before the rest */
  readonly others: readonly JobPreset[];
}

/** Bounds between the situations; the README of benchmarks/accuracy has the graphs that they were held on. */
export const situationBounds = {
  fewLabelsPerClass: 50,
  veryFewLabelsPerClass: 5,
  largeNodes: 200_000,
  largeEdges: 20_000_000,
  /** Relations, turned ones among them, from which weights of each have too few edges to learn from */
  manyRelations: 12,
  /** Mean degree from which averages over neighbours are so steady that a penalty does harm */
  manyNeighbors: 15,
  /** Adjusted homophily below which neighbours say little of a node's class */
  unlikeNeighbors: 0.2,
} as const;

/**
 * The preset that suits a graph, by its figures and what is asked of it alone: the same ones always give the same one.
 *
 * @param figures from `figuresOf(info)` of an ingested graph
 * @param asked   what is to be learnt; left out: of single nodes what is known of them, else rows for them
 */
export function choosePreset(figures: GraphFigures, asked: AskedTask | null = null): PresetProposal {
  const situation = (asked && situationOfTask(asked)) ?? situationOf(figures);
  const rank = (each: JobPreset) => {
    if (each.situation !== situation) return 3;
    return learnsAnother(each, asked) ? 2 : readsIdentity(each) && !suitsIdentity(figures) ? 1 : 0;
  };
  const [preset, ...others] = jobPresets.toSorted((a, b) => rank(a) - rank(b)).map((each) => fitPreset(each, figures));
  if (preset?.situation !== situation) throw new Error(`The catalogue has no preset for ${situation}.`);
  return { preset, reason: reasonFor(situation, figures), others };
}

/** Whether a preset names a task that is not the one asked for. */
function learnsAnother({ spec: { task } }: JobPreset, asked: AskedTask | null): boolean {
  return asked !== null && task?.type !== undefined && task.type !== asked.type;
}

/**
 * Labels at all come first, then features, then size, then labels and neighbours: what is missing decides before what
 * could be better.
 */
function situationOf(figures: GraphFigures): SituationName {
  const { numNodes, numEdges, features } = figures;
  const bounds = situationBounds;
  // Labels of single nodes are learnt as such, in a set of graphs too.
  const isLarge = numNodes > bounds.largeNodes || numEdges > bounds.largeEdges;
  if (isWithoutLabels(figures)) {
    if (figures.numGraphs) return "whole-graphs";
    return isLarge && features.dim === 0 && numEdges > 0 ? "large-no-labels" : "no-labels";
  }
  const hasFewLabels = labelsPerClass(figures) <= bounds.fewLabelsPerClass;
  // A graph of many nodes needs sampled neighbours more than weights of each type.
  if (figures.types && !isLarge) return figures.types.relations > bounds.manyRelations ? "many-relations" : "typed";
  if (features.dim === 0) return hasFewLabels ? "few-labels-no-features" : "no-features";
  if (isLarge) return hasFewLabels ? "large-few-labels" : "large";
  const homophily = adjustedHomophily(figures);
  if (homophily !== null && homophily < bounds.unlikeNeighbors) return "unlike-neighbors";
  if (!hasFewLabels) return "many-labels";
  if (labelsPerClass(figures) < bounds.veryFewLabelsPerClass) return "very-few-labels";
  return numEdges >= bounds.manyNeighbors * numNodes ? "few-labels-dense" : "few-labels";
}
