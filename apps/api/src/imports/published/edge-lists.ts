import { type PublishedDataset, publishedFile } from "./published-dataset.ts";

/** Text between tabs without a line of names, as the reader finds it. */
const betweenTabs = { type: "csv", options: { delimiter: "\t", header: false, comment: "none", decimal: "." } };
const triples = "https://raw.githubusercontent.com/villmow/datasets_knowledge_embedding/master/FB15k-237";
/** Object ids of the files at commit 9e392453d680. */
const tripleBlobs = {
  train: "bf5b69e4e34bdc72d1a15e102fd7bc66c5683c39",
  valid: "49f3b02859a2157b1ac75798694829639cbf3778",
  test: "4e7bb71d14f6238053e9233b498fb57c2a6ba323",
};

export const edgeListDatasets: readonly PublishedDataset[] = [
  {
    name: "fb15k-237",
    title: "FB15k-237",
    summary:
      "Facts of Freebase with 237 relations, for new links; split as it was published (Toutanova and Chen 2015).",
    numNodes: 14_541,
    numEdges: 310_116,
    licence: null,
    approximateBytes: null,
    files: Object.entries(tripleBlobs).map(([part, blob]) => publishedFile(`${triples}/${part}.txt`, blob)),
    spec: {
      version: 1,
      edges: {
        files: ["train.txt", "valid.txt", "test.txt"],
        reader: betweenTabs,
        src: "column1",
        dst: "column3",
        type: "column2",
        splitFiles: { val: ["valid.txt"], test: ["test.txt"] },
      },
      directed: true,
      selfLoops: "keep",
    },
  },
  {
    name: "gowalla",
    title: "Gowalla",
    summary: "Friends in a network of places, for new links; it has no split (Cho, Myers and Leskovec 2011).",
    numNodes: 196_591,
    numEdges: 950_327,
    licence: null,
    approximateBytes: null,
    files: [publishedFile("https://snap.stanford.edu/data/loc-gowalla_edges.txt.gz")],
    spec: {
      version: 1,
      edges: { files: ["loc-gowalla_edges.txt.gz"], reader: betweenTabs, src: "column1", dst: "column2" },
      directed: false,
    },
  },
];
