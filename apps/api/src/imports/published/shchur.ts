import { type PublishedDataset, publishedFile } from "./published-dataset.ts";

const address = "https://github.com/shchur/gnn-benchmark/raw/master/data/npz";

/** Arrays of numpy that Shchur et al. 2018 (arXiv:1811.05868) published; they have no split. */
function shchur(file: string, facts: Omit<PublishedDataset, "files" | "spec" | "licence" | "approximateBytes">) {
  return {
    ...facts,
    licence: null,
    approximateBytes: null,
    files: [publishedFile(`${address}/${file}`)],
    spec: {
      version: 1,
      edges: { files: [`${file}/edges.csv`], src: "src", dst: "dst" },
      nodes: { files: [`${file}/nodes.csv`], id: "id", label: "label", features: { file: `${file}/features.npz` } },
      // Some pairs stand in one direction alone, and are read in both as by everybody who uses these sets.
      directed: false,
    },
  };
}

export const shchurDatasets: readonly PublishedDataset[] = [
  shchur("amazon_electronics_photo.npz", {
    name: "amazon-photo",
    title: "Amazon Photo",
    summary: "Cameras and what belongs to them that are bought together, 8 categories; it has no split.",
    numNodes: 7650,
    numEdges: 119_081,
  }),
  shchur("amazon_electronics_computers.npz", {
    name: "amazon-computers",
    title: "Amazon Computers",
    summary: "Computers and what belongs to them that are bought together, 10 categories; it has no split.",
    numNodes: 13_752,
    numEdges: 245_861,
  }),
  shchur("ms_academic_cs.npz", {
    name: "coauthor-cs",
    title: "Coauthor CS",
    summary: "Authors of computer science who wrote together, 15 fields; it has no split.",
    numNodes: 18_333,
    numEdges: 81_894,
  }),
  shchur("ms_academic_phy.npz", {
    name: "coauthor-physics",
    title: "Coauthor Physics",
    summary: "Authors of physics who wrote together, 5 fields; it has no split.",
    numNodes: 34_493,
    numEdges: 247_962,
  }),
];
