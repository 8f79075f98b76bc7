import { type PublishedDataset, publishedFile } from "./published-dataset.ts";

const address = "https://github.com/shchur/gnn-benchmark/raw/master/data/npz";

type Facts = Omit<PublishedDataset, "files" | "spec" | "licence" | "approximateBytes">;

/**
 * Arrays of numpy that Shchur et al. 2018 (arXiv:1811.05868) published; they have no split.
 *
 * @param gitBlob object id of the file at commit 1e72912a0810
 */
function shchur(file: string, gitBlob: string, facts: Facts): PublishedDataset {
  return {
    ...facts,
    licence: null,
    approximateBytes: null,
    files: [publishedFile(`${address}/${file}`, gitBlob)],
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
  shchur("amazon_electronics_photo.npz", "97323743cb56aca9dd611f5b4b46862c1c9c6bd9", {
    name: "amazon-photo",
    title: "Amazon Photo",
    summary: "Cameras and what belongs to them that are bought together, 8 categories; it has no split.",
    numNodes: 7650,
    numEdges: 119_081,
  }),
  shchur("amazon_electronics_computers.npz", "8120e4148a330b3fafe37c4476823302d9d834b9", {
    name: "amazon-computers",
    title: "Amazon Computers",
    summary: "Computers and what belongs to them that are bought together, 10 categories; it has no split.",
    numNodes: 13_752,
    numEdges: 245_861,
  }),
  shchur("ms_academic_cs.npz", "9bdd7da943d86b74297e8d32e99eb64245b52835", {
    name: "coauthor-cs",
    title: "Coauthor CS",
    summary: "Authors of computer science who wrote together, 15 fields; it has no split.",
    numNodes: 18_333,
    numEdges: 81_894,
  }),
  shchur("ms_academic_phy.npz", "8d8bc12e29aa67f6753a712080eae81079bd7d01", {
    name: "coauthor-physics",
    title: "Coauthor Physics",
    summary: "Authors of physics who wrote together, 5 fields; it has no split.",
    numNodes: 34_493,
    numEdges: 247_962,
  }),
];
