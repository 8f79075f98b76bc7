import { labelledGraph, type PublishedDataset, publishedFile } from "./published-dataset.ts";

const address = "https://snap.stanford.edu/ogb/data/nodeproppred";

/** Node property prediction of the Open Graph Benchmark (Hu et al. 2020, arXiv:2005.00687), with its own split. */
function ogb(folder: string, facts: Omit<PublishedDataset, "files" | "spec">): PublishedDataset {
  return {
    ...facts,
    files: [publishedFile(`${address}/${folder}.zip`)],
    spec: labelledGraph(`${folder}.zip/${folder}/raw/edge.csv.gz`, "features.npy"),
  };
}

export const ogbDatasets: readonly PublishedDataset[] = [
  ogb("arxiv", {
    name: "ogbn-arxiv",
    title: "ogbn-arxiv",
    summary: "Papers of computer science on arXiv that cite each other, 40 subjects, split by the year.",
    numNodes: 169_343,
    numEdges: 1_166_243,
    licence: "ODC-BY",
    approximateBytes: 81e6,
  }),
  ogb("products", {
    name: "ogbn-products",
    title: "ogbn-products",
    summary: "Products that are bought together, 47 categories, split by how well they sell.",
    numNodes: 2_449_029,
    numEdges: 61_859_140,
    licence: "Amazon license",
    approximateBytes: 1.38e9,
  }),
];
