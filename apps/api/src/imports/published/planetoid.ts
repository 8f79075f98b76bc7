import { labelledGraph, type PublishedDataset, publishedFile } from "./published-dataset.ts";

const parts = ["x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"];
const address = "https://raw.githubusercontent.com/kimiyoung/planetoid/master/data";

type Facts = Pick<PublishedDataset, "title" | "summary" | "numNodes" | "numEdges">;

/** The citation graphs of Yang, Cohen and Salakhutdinov 2016 (arXiv:1603.08861), with their public split. */
function planetoid(name: string, facts: Facts): PublishedDataset {
  return {
    name,
    ...facts,
    licence: null,
    approximateBytes: null,
    files: parts.map((part) => publishedFile(`${address}/ind.${name}.${part}`)),
    spec: labelledGraph(`ind.${name}.graph`, "features.npz"),
  };
}

export const planetoidDatasets: readonly PublishedDataset[] = [
  planetoid("cora", {
    title: "Cora",
    summary: "Papers that cite each other, 7 topics, words as features, the public split of 20 labels a topic.",
    numNodes: 2708,
    numEdges: 5429,
  }),
  planetoid("citeseer", {
    title: "Citeseer",
    summary: "Papers that cite each other, 6 topics, words as features, the public split of 20 labels a topic.",
    numNodes: 3327,
    numEdges: 4732,
  }),
  planetoid("pubmed", {
    title: "Pubmed",
    summary: "Papers on diabetes that cite each other, 3 kinds, TF-IDF of words, the public split of 20 labels a kind.",
    numNodes: 19_717,
    numEdges: 44_338,
  }),
];
