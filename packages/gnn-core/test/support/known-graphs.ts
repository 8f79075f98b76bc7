import type { GraphFigures, SituationName } from "../../src/spec/index.ts";

/** A public graph as ingest counts it, and the situation that its presets are held on. */
export interface KnownGraph {
  readonly figures: GraphFigures;
  readonly situation: SituationName;
}

const words = (dim: number, values: "binary" | "nonNegative" = "binary") => ({ dim, values });
const none = { dim: 0, values: null };

/**
 * Splits: Planetoid's, 20 nodes a class (Shchur et al. 2018), or the published ones; facebook-pages and friends 60 %.
 */
export const knownGraphs = {
  cora: {
    figures: {
      numNodes: 2708,
      numEdges: 10_556,
      features: words(1433),
      numClasses: 7,
      numTrain: 140,
      homophily: { share: 0.81, expected: 0.17 },
    },
    situation: "few-labels",
  },
  citeseer: {
    figures: {
      numNodes: 3327,
      numEdges: 9104,
      features: words(3703),
      numClasses: 6,
      numTrain: 120,
      homophily: { share: 0.738, expected: 0.197 },
    },
    situation: "few-labels",
  },
  "coauthor-cs": {
    figures: {
      numNodes: 18_333,
      numEdges: 163_788,
      features: words(6805, "nonNegative"),
      numClasses: 15,
      numTrain: 300,
      homophily: { share: 0.808, expected: 0.109 },
    },
    situation: "few-labels",
  },
  dblp: {
    figures: {
      numNodes: 17_716,
      numEdges: 105_734,
      features: words(1639, "nonNegative"),
      numClasses: 4,
      numTrain: 80,
      homophily: { share: 0.828, expected: 0.463 },
    },
    situation: "few-labels",
  },
  nell: {
    figures: {
      numNodes: 65_755,
      numEdges: 251_550,
      features: words(5414, "nonNegative"),
      numClasses: 105,
      numTrain: 105,
      homophily: null,
    },
    situation: "very-few-labels",
  },
  "amazon-photo": {
    figures: {
      numNodes: 7650,
      numEdges: 238_162,
      features: words(745),
      numClasses: 8,
      numTrain: 160,
      homophily: { share: 0.827, expected: 0.196 },
    },
    situation: "few-labels-dense",
  },
  "amazon-computers": {
    figures: {
      numNodes: 13_752,
      numEdges: 491_722,
      features: words(767),
      numClasses: 10,
      numTrain: 200,
      homophily: { share: 0.777, expected: 0.299 },
    },
    situation: "few-labels-dense",
  },
  "facebook-pages": {
    figures: {
      numNodes: 22_470,
      numEdges: 341_646,
      features: words(4714),
      numClasses: 4,
      numTrain: 13_482,
      homophily: { share: 0.885, expected: 0.361 },
    },
    situation: "many-labels",
  },
  "imdb-hetero": {
    figures: {
      numNodes: 12_772,
      numEdges: 37_288,
      features: words(1256),
      numClasses: 3,
      numTrain: 300,
      types: { nodes: 3, relations: 4 },
      homophily: null,
    },
    situation: "typed",
  },
  tolokers: {
    figures: {
      numNodes: 11_758,
      numEdges: 1_038_000,
      features: words(10, "nonNegative"),
      numClasses: 2,
      numTrain: 5879,
      homophily: { share: 0.595, expected: 0.553 },
    },
    situation: "unlike-neighbors",
  },
  actor: {
    figures: {
      numNodes: 7600,
      numEdges: 53_318,
      features: words(932),
      numClasses: 5,
      numTrain: 3648,
      homophily: { share: 0.217, expected: 0.215 },
    },
    situation: "unlike-neighbors",
  },
  chameleon: {
    figures: {
      numNodes: 890,
      numEdges: 17_708,
      features: words(2325),
      numClasses: 5,
      numTrain: 409,
      homophily: { share: 0.236, expected: 0.213 },
    },
    situation: "unlike-neighbors",
  },
  squirrel: {
    figures: {
      numNodes: 2223,
      numEdges: 93_996,
      features: words(2089),
      numClasses: 5,
      numTrain: 1053,
      homophily: { share: 0.207, expected: 0.2 },
    },
    situation: "unlike-neighbors",
  },
  minesweeper: {
    figures: {
      numNodes: 10_000,
      numEdges: 78_804,
      features: words(7),
      numClasses: 2,
      numTrain: 5000,
      homophily: { share: 0.683, expected: 0.68 },
    },
    situation: "unlike-neighbors",
  },
  amherst: {
    figures: {
      numNodes: 2235,
      numEdges: 181_908,
      features: words(1193),
      numClasses: 2,
      numTrain: 1016,
      homophily: { share: 0.531, expected: 0.501 },
    },
    situation: "unlike-neighbors",
  },
  "johns-hopkins": {
    figures: {
      numNodes: 5180,
      numEdges: 373_172,
      features: words(2406),
      numClasses: 2,
      numTrain: 2381,
      homophily: { share: 0.549, expected: 0.5 },
    },
    situation: "unlike-neighbors",
  },
  "blogcatalog-multilabel": {
    figures: {
      numNodes: 10_312,
      numEdges: 667_966,
      features: none,
      numClasses: 39,
      numTrain: 5156,
      homophily: null,
    },
    situation: "no-features",
  },
  "deezer-hu": {
    figures: {
      numNodes: 47_538,
      numEdges: 445_774,
      features: none,
      numClasses: 84,
      numTrain: 28_523,
      homophily: null,
    },
    situation: "no-features",
  },
  "pubmed-structure": {
    figures: {
      numNodes: 19_717,
      numEdges: 88_648,
      features: none,
      numClasses: 3,
      numTrain: 60,
      homophily: { share: 0.802, expected: 0.371 },
    },
    situation: "few-labels-no-features",
  },
  "mutag-rdf": {
    figures: {
      numNodes: 23_644,
      numEdges: 148_454,
      features: none,
      numClasses: 2,
      numTrain: 272,
      types: { nodes: 1, relations: 46 },
      homophily: null,
    },
    situation: "many-relations",
  },
  "reddit-shaped": {
    figures: {
      numNodes: 4659,
      numEdges: 2_170_162,
      features: { dim: 602, values: "any" },
      numClasses: 41,
      numTrain: 3068,
      homophily: null,
    },
    situation: "many-labels",
  },
  mutag: {
    figures: {
      numNodes: 3371,
      numEdges: 7442,
      features: { dim: 7, values: "binary" },
      numClasses: 0,
      numTrain: 0,
      numGraphs: 188,
      homophily: null,
    },
    situation: "whole-graphs",
  },
} as const satisfies Record<string, KnownGraph>;
