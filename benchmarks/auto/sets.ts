import { graphFolds } from "../accuracy/graph-rows.ts";
import { type AutoSet, asRow } from "./auto-set.ts";
import { storedLinks } from "./stored-links.ts";

/** Aims: the published mean less one standard deviation, or the aim of the row where no deviation is published. */
const nodeSets: readonly AutoSet[] = [
  asRow("cora-gcn", { name: "cora", aim: 0.81, source: "Kipf and Welling 2017: GCN 81.5; Shchur et al.: ± 0.5" }),
  asRow("coauthor-cs-gcn", { name: "coauthor-cs", aim: 0.906, source: "Shchur et al. 2018: GCN 91.1 ± 0.5" }),
  asRow("amazon-photo-gcn", { name: "amazon-photo", aim: 0.9, source: "Shchur et al. 2018: GCN 91.2 ± 1.2" }),
  asRow("facebook-pages-sage", { name: "facebook-pages", aim: 0.94, source: "aim of benchmarks/accuracy" }),
  asRow("tolokers-sage", {
    name: "tolokers",
    aim: 0.8199,
    chosenBy: "rocAuc",
    source: "Platonov et al. 2023: GraphSAGE 82.43 ± 0.44",
  }),
  asRow("blogcatalog-sage", { name: "blogcatalog", aim: 0.2612, source: "10 above the most frequent labels" }),
  asRow("deezer-hu-sage", { name: "deezer-hu", aim: 0.5098, source: "0.1 above the most frequent labels" }),
  asRow("cora-gcn", {
    name: "pubmed-structure",
    folder: "pubmed-structure",
    files: ["edges.csv.gz", "nodes.csv.gz"],
    spec: {
      edges: { files: ["edges.csv.gz"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv.gz"], id: "id", label: "label", split: "split" },
    },
    aim: null,
    source: "nothing is published without features",
  }),
  asRow("cora-gcn", {
    name: "nell",
    folder: "nell",
    files: ["edges.csv.gz", "nodes.csv.gz", "features.npz"],
    spec: {
      edges: { files: ["edges.csv.gz"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv.gz"], id: "id", label: "label", split: "split", features: { file: "features.npz" } },
    },
    aim: 0.567,
    source: "README of the data set: GCN with a column for each relation node, one seed",
  }),
];

const typedSets: readonly AutoSet[] = [
  asRow("acm-20-rsage", { name: "acm-20", aim: 0.904, source: "aim of benchmarks/accuracy" }),
  asRow("imdb-rgcn", { name: "imdb-hetero", aim: 0.5689, source: "aim of benchmarks/accuracy" }),
  withoutFeatures(
    asRow("mutag-rdf-rgcn", { name: "mutag-rdf", aim: 0.7275, source: "Schlichtkrull et al. 2018: 73.23 ± 0.48" }),
  ),
];

/** Without the column for each node that the row has in place of features. */
function withoutFeatures(set: AutoSet): AutoSet {
  const { features, ...nodes } = set.spec.nodes ?? { files: [], id: "id" };
  if (!features || !("file" in features)) return set;
  const make: AutoSet["make"] = async (folder) => {
    const made = Object.entries((await set.make?.(folder)) ?? {});
    return Object.fromEntries(made.filter(([file]) => file !== features.file));
  };
  return { ...set, make, spec: { ...set.spec, nodes } };
}

const linkSets: readonly AutoSet[] = [
  {
    name: "cora-lp",
    ...storedLinks("cora-lp", { folder: "cora", features: "features.npz" }),
    aim: 0.922,
    source: "aim of benchmarks/accuracy",
  },
  {
    name: "pubmed-structure-lp",
    ...storedLinks("pubmed-structure-lp", { folder: "pubmed-structure", features: null }),
    aim: 0.827,
    source: "Kipf and Welling 2016 without features",
  },
  asRow("fb15k-237-complex", { name: "fb15k-237", aim: 0.241, source: "DistMult in Dettmers et al. 2018" }),
  asRow("wn18rr-complex", { name: "wn18rr", aim: 0.43, source: "DistMult in Dettmers et al. 2018" }),
  asRow("gowalla-lightgcn", { name: "gowalla", aim: 0.157, source: "He et al. 2020: NGCF" }),
  asRow("college-msg-temporal", { name: "college-msg", aim: 0.542, source: "common neighbours" }),
  asRow("bitcoin-otc-temporal", { name: "bitcoin-otc", aim: 0.57, source: "common neighbours" }),
];

const graphSets: readonly AutoSet[] = [
  asRow("proteins-gin", { name: "proteins", aim: 0.733 - 0.04, source: "Errica et al. 2020: GIN 73.3 ± 4.0" }),
  asRow("nci1-gin", { name: "nci1", aim: 0.786, source: "Errica et al. 2020: GIN 80.0 ± 1.4" }),
  asRow("mutag-gin", { name: "mutag", aim: 0.81, source: "Xu et al. 2019, by another protocol: 89.4 ± 5.6" }),
  asRow("mutag-gin", {
    name: "imdb-binary",
    folder: "imdb-binary",
    make: graphFolds("fair_degree_feature"),
    spec: {
      edges: { files: ["edges.csv.gz"], src: "src", dst: "dst", graph: "graph" },
      nodes: { files: ["nodes.csv.gz"], id: "node", graph: "graph" },
      graphs: { files: ["graphs-with-folds.csv"], id: "graph", label: "label", split: "fold_0" },
    },
    aim: 0.673,
    source: "Errica et al. 2020: GIN 71.2 ± 3.9",
  }),
];

export const allSets: readonly AutoSet[] = [...nodeSets, ...typedSets, ...linkSets, ...graphSets];
