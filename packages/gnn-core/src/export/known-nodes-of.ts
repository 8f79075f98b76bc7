import { join } from "node:path";
import { classPositions, renumberLabelSets } from "../graph/renumber-classes.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { mapLabelSets } from "../io/label-set-files.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { KnownNodes } from "../tasks/known-nodes.ts";

/**
 * What a `graph` artifact knows of its nodes.
 *
 * @param labels int32 class of each node by NodeIndex, as the job used them
 * @param classes what the labels count in; they need not be those of the graph
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID
 */
export function knownNodesOf(
  { dir, manifest }: ArtifactDir,
  labels: Int32Array,
  classes: readonly string[],
): KnownNodes {
  const { numNodes, classes: stored, multiLabel, targets } = graphInfo.parse(manifest.info);
  const nodes = join(dir, "nodes");
  return {
    numNodes,
    classes,
    labels,
    labelSets: multiLabel
      ? renumberLabelSets(mapLabelSets(nodes, stored.length), classPositions(stored, classes), classes.length)
      : null,
    targets:
      targets.length > 0
        ? { names: targets.map(({ name }) => name), values: mapNpy(join(nodes, "targets.npy"), "float32").values }
        : null,
  };
}
