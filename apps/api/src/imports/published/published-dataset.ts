/** A data set that others have published, in a form that the readers take as it is. */
export interface PublishedDataset {
  /** What it is asked for by. */
  readonly name: string;
  readonly title: string;
  /** What its nodes, edges and labels are, and which split comes with it. */
  readonly summary: string;
  readonly numNodes: number;
  readonly numEdges: number;
  /** What the publisher says of its use; null: nothing at this address. */
  readonly licence: string | null;
  /** About how much is fetched, as the publisher says; null: not said. */
  readonly approximateBytes: number | null;
  readonly files: readonly PublishedFile[];
  /** The DatasetSpec that maps the files: what the readers themselves propose. */
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface PublishedFile {
  readonly url: string;
  readonly name: string;
  /** Object id that its publisher's git repository records for it; null: it is not published in one. */
  readonly gitBlob: string | null;
}

/** A file that is called in the dataset as it is at its address. */
export function publishedFile(url: string, gitBlob: string | null = null): PublishedFile {
  return { url, name: url.split("/").at(-1) ?? url, gitBlob };
}

/**
 * The spec of a table of edges, and one of nodes with a label, a split and features, as readers of bundles give them.
 *
 * @param bundle   what the reader calls the whole
 * @param features name of the file of the features
 */
export function labelledGraph(bundle: string, features: string): PublishedDataset["spec"] {
  return {
    version: 1,
    edges: { files: [`${bundle}/edges.csv`], src: "src", dst: "dst" },
    nodes: {
      files: [`${bundle}/nodes.csv`],
      id: "id",
      label: "label",
      split: "split",
      features: { file: `${bundle}/${features}` },
    },
    directed: false,
  };
}
