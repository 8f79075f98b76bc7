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

const mag = "mag.zip/mag/raw/num-node-dict.csv.gz";

/** A relation of ogbn-mag; between papers the columns have no names of their own. */
function relation(source: string, name: string, target: string) {
  const [src, dst] = source === target ? ["src", "dst"] : [source, target];
  return { source, name, target, files: [`${mag}/${source}___${name}___${target}.csv`], src, dst };
}

const typedSpec = {
  version: 1,
  nodeTypes: {
    author: { files: [`${mag}/author.csv`], id: "id" },
    field_of_study: { files: [`${mag}/field_of_study.csv`], id: "id" },
    institution: { files: [`${mag}/institution.csv`], id: "id" },
    paper: {
      files: [`${mag}/paper.csv`],
      id: "id",
      label: "label",
      split: "split",
      features: { file: `${mag}/paper.npy` },
    },
  },
  relations: [
    relation("author", "affiliated_with", "institution"),
    relation("author", "writes", "paper"),
    relation("paper", "cites", "paper"),
    relation("paper", "has_topic", "field_of_study"),
  ],
};

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
  {
    name: "ogbn-papers100M",
    title: "ogbn-papers100M",
    summary: "Papers of all fields that cite each other; those on arXiv have one of 172 subjects, split by the year.",
    numNodes: 111_059_956,
    numEdges: 1_615_685_872,
    licence: "ODC-BY",
    approximateBytes: 60.3e9,
    files: [publishedFile(`${address}/papers100M-bin.zip`)],
    spec: labelledGraph("papers100M-bin.zip/papers100M-bin/raw/data.npz", "features.npy"),
  },
  {
    name: "ogbn-mag",
    title: "ogbn-mag",
    summary:
      "Papers, authors, institutions and topics in four relations; papers have one of 349 venues, split by the year.",
    numNodes: 1_939_743,
    numEdges: 21_111_007,
    licence: "ODC-BY",
    approximateBytes: null,
    files: [publishedFile(`${address}/mag.zip`)],
    spec: typedSpec,
  },
];
