import { type PublishedDataset, publishedFile } from "./published-dataset.ts";

const address = "https://www.chrsmrrs.com/graphkerneldatasets";

interface Facts extends Pick<PublishedDataset, "summary" | "numNodes" | "numEdges"> {
  readonly hasNodeAttributes?: boolean;
  readonly hasEdgeLabels?: boolean;
}

/** Sets of graphs of the TU Dortmund collection (Morris et al. 2020, arXiv:2007.08663); they have no split. */
function tu(title: string, { hasNodeAttributes = false, hasEdgeLabels = false, ...facts }: Facts): PublishedDataset {
  const file = (part: string) => `${title}.zip/${title}/${title}_${part}.txt`;
  return {
    name: title.toLowerCase(),
    title,
    ...facts,
    licence: null,
    approximateBytes: null,
    files: [publishedFile(`${address}/${title}.zip`)],
    spec: {
      version: 1,
      tu: {
        edges: file("A"),
        graphIndicator: file("graph_indicator"),
        graphLabels: file("graph_labels"),
        nodeLabels: file("node_labels"),
        ...(hasNodeAttributes && { nodeAttributes: file("node_attributes") }),
        ...(hasEdgeLabels && { edgeLabels: file("edge_labels") }),
      },
      directed: false,
    },
  };
}

export const tuDatasets: readonly PublishedDataset[] = [
  tu("MUTAG", {
    summary:
      "188 molecules, whether they damage the genes of a bacterium; atoms and bonds as kinds of nodes and edges.",
    numNodes: 3371,
    numEdges: 3721,
    hasEdgeLabels: true,
  }),
  tu("PROTEINS", {
    summary: "1,113 proteins, whether they are enzymes; elements of their structure as nodes.",
    numNodes: 43_471,
    numEdges: 81_044,
    hasNodeAttributes: true,
  }),
  tu("NCI1", {
    summary: "4,110 molecules, whether they slow down the growth of a kind of cancer; atoms as kinds of nodes.",
    numNodes: 122_747,
    numEdges: 132_753,
  }),
];
