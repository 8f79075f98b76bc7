import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { parsePartsInfo } from "../spec/parts-info.ts";

/** Where artifacts keep what they know of the graphs of a set */
export const graphsFolder = "graphs";

/**
 * A `graph` artifact of a set as one whose rows are the graphs: their ids, labels, targets and split are where those of
 * nodes would be.
 *
 * @throws GnnError SPEC_INVALID of a graph that is no set
 */
export function graphsAsRows({ dir, manifest }: ArtifactDir): ArtifactDir {
  const info = graphInfo.parse(manifest.info);
  if (!info.graphs) throw noSet();
  const { numGraphs, idType, classes, labelCounts, targets, splits } = info.graphs;
  const {
    schema: _,
    profile: _profile,
    hasTypeInIds: _hasTypes,
    graphs: _graphs,
    homophily: _homophily,
    ...rest
  } = info;
  const rows = { numNodes: numGraphs, idType, classes, labelCounts, targets, splits, multiLabel: false };
  const plain = { numEdges: 0, features: { kind: "none", dim: 0 }, edgeTypes: ["edge"], nodeTypes: ["graph"] };
  return inside(dir, { ...manifest, info: { ...rest, ...rows, ...plain } });
}

/** A `parts` artifact of a set as one part whose rows are the graphs, in the order of their GlobalIds. */
export function partsAsRows(artifact: ArtifactDir): ArtifactDir {
  const { dir, manifest } = artifact;
  const info = parsePartsInfo(artifact);
  if (!info.graphs) throw noSet();
  const { numGraphs, classes, targets, splits } = info.graphs;
  const graph = { ...info.graph, classes, targets, splits, multiLabel: false, features: { kind: "none", dim: 0 } };
  const one = { numParts: 1, numNodes: numGraphs, numEdges: 0, nodeOffsets: [0, numGraphs], edgeOffsets: [0, 0] };
  return inside(dir, { ...manifest, info: { ...manifest.info, ...one, graph } });
}

function inside(dir: string, manifest: ArtifactDir["manifest"]): ArtifactDir {
  const prefix = `${graphsFolder}/`;
  const blobs = manifest.blobs
    .filter(({ name }) => name.startsWith(prefix))
    .map((blob) => ({ ...blob, name: blob.name.slice(prefix.length) }));
  return { dir: join(dir, graphsFolder), manifest: { ...manifest, blobs } };
}

function noSet(): GnnError {
  const message = "/task/type: whole graphs are learnt from sets of graphs, and the dataset is one graph.";
  return new GnnError("SPEC_INVALID", message, { place: { pointer: "/task/type" } });
}
