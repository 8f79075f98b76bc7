import { labelledGraph, type PublishedDataset, publishedFile } from "./published-dataset.ts";

/** Data sets in the form in which DGL's server keeps them. */
export const dglDatasets: readonly PublishedDataset[] = [
  {
    name: "reddit",
    title: "Reddit",
    summary: "Posts that somebody commented on together, 41 communities, split by the day (Hamilton et al. 2017).",
    numNodes: 232_965,
    numEdges: 57_307_946,
    licence: null,
    approximateBytes: null,
    files: [publishedFile("https://data.dgl.ai/dataset/reddit.zip")],
    spec: labelledGraph("reddit.zip/reddit_graph.npz", "features.npy"),
  },
];
