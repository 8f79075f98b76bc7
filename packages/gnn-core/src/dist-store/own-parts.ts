import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { readColumnScale } from "../features/column-scale-files.ts";
import { type ColumnScale, storedAs } from "../features/feature-dtype.ts";
import type { CscPart } from "../graph/csc-graph.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { mapPart } from "../partition/load-parts.ts";
import { evenOffsets } from "../partition/row-schema.ts";
import { type PartsInfo, parsePartsInfo } from "../spec/parts-info.ts";
import type { StoredSegment } from "./remote-rows.ts";

/** The parts of one rank, mapped; of the others only what the manifest says. */
export interface OwnParts {
  readonly info: PartsInfo;
  /** [worldSize + 1]: who owns which GlobalIds */
  readonly nodeOffsets: readonly number[];
  readonly dirs: readonly string[];
  /** Edges have several types, which `parts` say */
  readonly isTyped: boolean;
  /** So have nodes, in a file of each part */
  readonly hasNodeTypes: boolean;
  readonly parts: readonly CscPart[];
  readonly features: readonly StoredSegment[];
  readonly columns: ColumnScale | null;
}

/**
 * Ranks take equal numbers of parts, in order. No file of another rank's parts is opened: they need not be there.
 *
 * @throws GnnError SPEC_INVALID when there are fewer parts than ranks; MANIFEST_INVALID, DATASET_FILE_MISSING,
 * DATASET_FORMAT_INVALID
 */
export function loadOwnParts(
  artifact: ArtifactDir,
  { rank, worldSize }: { readonly rank: number; readonly worldSize: number },
): OwnParts {
  const info = parsePartsInfo(artifact);
  if (info.numParts < worldSize) {
    throw new GnnError(
      "SPEC_INVALID",
      `The graph has ${info.numParts} parts for ${worldSize} ranks; each rank needs one of its own. Set partition.options.numParts to "auto".`,
      { place: { pointer: "/partition/options/numParts" } },
    );
  }
  const partOffsets = evenOffsets(info.numParts, worldSize);
  const own = Array.from({ length: info.numParts }, (_, part) => part).slice(partOffsets[rank], partOffsets[rank + 1]);
  const has = (file: string) => artifact.manifest.blobs.some(({ name }) => name === `part0/${file}`);
  const isWeighted = has("weight.npy");
  const isTyped = has("edge_type.npy") && info.graph.edgeTypes.length > 1;
  const dirs = own.map((part) => join(artifact.dir, `part${part}`));
  const { features } = info.graph;
  return {
    info,
    nodeOffsets: partOffsets.map((part) => info.nodeOffsets[part] as number),
    dirs,
    isTyped,
    hasNodeTypes: isTyped && has("type.npy"),
    parts: own.map((part, i) => {
      const dir = dirs[i] as string;
      const first = info.nodeOffsets[part] as number;
      const end = info.nodeOffsets[part + 1] as number;
      const mapped = mapPart(dir, { first, count: end - first }, isWeighted);
      return isTyped ? { ...mapped, types: mapNpy(join(dir, "edge_type.npy"), "int32").values } : mapped;
    }),
    features: dirs.map((dir) => segmentIn(dir, features)),
    columns: features.dtype === "int8" ? readColumnScale(artifact.dir) : null,
  };
}

function segmentIn(dir: string, { kind, dtype }: PartsInfo["graph"]["features"]): StoredSegment {
  const { npy } = storedAs[dtype];
  if (kind === "none") return new Float32Array(0);
  if (kind === "dense") return mapNpy(join(dir, "features.npy"), npy).values;
  return {
    indptr: mapNpy(join(dir, "features/indptr.npy"), "int64").values,
    indices: mapNpy(join(dir, "features/indices.npy"), "int32").values,
    values: mapNpy(join(dir, "features/data.npy"), npy).values,
  };
}
