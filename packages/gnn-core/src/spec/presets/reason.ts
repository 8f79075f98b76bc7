import { adjustedHomophily, type GraphFigures, isWithoutLabels, labelsPerClass } from "./graph-figures.ts";
import type { SituationName } from "./situations.ts";

const advice: Readonly<Record<SituationName, string>> = {
  "few-labels": "Few labels among neighbours that are alike: whole neighbourhoods, a strong penalty, many epochs.",
  "very-few-labels": "A handful of labels: whole neighbourhoods and next to no penalty, so that they count at all.",
  "few-labels-dense":
    "Few labels, but many neighbours that are alike: whole neighbourhoods, and next to no penalty, as averages are steady.",
  "many-labels": "Plenty of labels among neighbours that are alike: sampled neighbours, a light penalty.",
  "unlike-neighbors": "Neighbours say little of a node's class: residuals keep each node's own row through the layers.",
  "no-features": "Nodes have no features: columns are made from the edges, where each node lies in the graph.",
  "few-labels-no-features":
    "Few labels and no features: columns are made from the edges, and labels spread along them.",
  typed: "Nodes or edges of several types: each has weights of its own.",
  "many-relations": "Many relations, each with few edges: their weights are made of shared ones.",
  links: "Links are learnt: rows of both ends are made of what is around them, and a decoder scores the pair.",
  "links-by-time": "Links by time: a row is learned for every node, and the newest links are held out.",
  knowledge: "Many relations: rows of nodes and relations are learned alone, each target told from all nodes.",
  recommendation:
    "A list for each node: learned rows averaged over the hops between, each target told from all others.",
  "labelled-edges": "Edges have labels of their own: rows of both ends and the edge's columns tell them.",
  large: "A large graph: sampled neighbours, and an evaluation of all nodes every second epoch.",
  "large-few-labels": "A large graph with few labels: sampled neighbours, many short epochs, few evaluations.",
  "no-labels": "Nothing to predict of single nodes: rows for them are learnt from what there is, features or edges.",
  "large-no-labels":
    "A large graph of which nothing is known but its edges: rows by random projections, in a pass for each hop.",
  "whole-graphs": "Graphs with a class or numbers each: sums over the nodes of every graph, a few graphs at a time.",
  quick: "A short look at any graph.",
};

/** Why a graph is in a situation: first its figures, then what they ask for. */
export function reasonFor(situation: SituationName, figures: GraphFigures): string {
  const said = [sizeOf(figures), typesOf(figures), labelsOf(figures), homophilyOf(figures), featuresOf(figures)];
  return `${said.filter(Boolean).join("; ")}. ${advice[situation]}`;
}

function sizeOf({ numNodes, numEdges }: GraphFigures): string {
  const degree = numNodes === 0 ? 0 : numEdges / numNodes;
  return `${whole(numNodes)} nodes of mean degree ${oneDigit(degree)}`;
}

function typesOf({ types }: GraphFigures): string | null {
  if (!types) return null;
  const counted = (count: number, what: string) => `${whole(count)} ${what}${count === 1 ? "" : "s"}`;
  return `of ${counted(types.nodes, "type")}, joined by ${counted(types.relations, "relation")}`;
}

function labelsOf(figures: GraphFigures): string {
  const { numClasses, numTrain, numGraphs = 0 } = figures;
  if (numGraphs > 0) return `in ${whole(numGraphs)} graphs`;
  if (isWithoutLabels(figures)) return "no labels";
  if (numClasses === 0) return nodes(whole(numTrain));
  const each = labelsPerClass(figures);
  const ofEach = nodes(each >= 10 ? whole(Math.round(each)) : oneDigit(each));
  return numClasses === 1 ? `${ofEach} of one class` : `${ofEach} for each of ${whole(numClasses)} classes`;
}

function homophilyOf(figures: GraphFigures): string | null {
  const { homophily } = figures;
  if (!homophily || adjustedHomophily(figures) === null) return null;
  return `${percent(homophily.share)} of edges join one class (${percent(homophily.expected)} by chance)`;
}

function featuresOf({ features: { dim, values } }: GraphFigures): string {
  if (dim === 0) return "no features";
  const kind =
    values && { binary: " of zeros and ones", nonNegative: " of counts or shares", any: " of any numbers" }[values];
  return `${whole(dim)} feature ${dim === 1 ? "column" : "columns"}${kind ?? ""}`;
}

const nodes = (count: string) => `${count} training ${count === "1" ? "node" : "nodes"}`;
const whole = (value: number) => value.toLocaleString("en");
const oneDigit = (value: number) => value.toFixed(1).replace(/\.0$/, "");
const percent = (share: number) => `${Math.round(100 * share)} %`;
