import { existsSync } from "node:fs";
import { join } from "node:path";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { nodeIdFiles } from "../io/ingest/write-ids.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";

const graphNames = graphInfo.pick({ idType: true, nodeTypes: true, hasTypeInIds: true });

/** What a graph calls its nodes, by NodeIndex, read from the mapped files without a copy of them. */
export interface NodeNames {
  readonly idType: "int64" | "string";
  /** Names that `typeOf` counts; empty: all nodes are alike */
  readonly nodeTypes: readonly string[];
  /** −1: it is not known; 0 where all nodes are alike */
  readonly typeOf: (node: number) => number;
  /** As results have it, with the type before it where nodes of several types have ids alike */
  readonly shownId: (node: number) => string;
  /** As the files of the dataset have it: it names a node of its type */
  readonly idOf: (node: number) => string;
}

/** @throws GnnError DATASET_FILE_MISSING, DATASET_FORMAT_INVALID */
export function nodeNames({ dir, manifest }: ArtifactDir): NodeNames {
  const { idType, nodeTypes: names, hasTypeInIds = false } = graphNames.parse(manifest.info);
  const shownId = idType === "int64" ? integersIn(dir) : textsIn(dir);
  const path = join(dir, "nodes/type.npy");
  if (!existsSync(path)) return { idType, nodeTypes: [], typeOf: () => 0, shownId, idOf: shownId };
  const { values: codes } = mapNpy(path, "int32");
  const typeOf = (node: number) => codes[node] as number;
  const prefixes = names.map((name) => (hasTypeInIds ? `${name}/`.length : 0));
  const idOf = (node: number) => shownId(node).slice(prefixes[typeOf(node)] ?? 0);
  return { idType, nodeTypes: names, typeOf, shownId, idOf };
}

function integersIn(dir: string): (row: number) => string {
  const { values } = mapNpy(join(dir, nodeIdFiles.numbers), "int64");
  return (row) => String(values[row]);
}

function textsIn(dir: string): (row: number) => string {
  const offsets = int64Words(mapNpy(join(dir, nodeIdFiles.offsets), "int64").values);
  const { values } = mapNpy(join(dir, nodeIdFiles.bytes), "uint8");
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return (row) => bytes.toString("utf8", int64At(offsets, row), int64At(offsets, row + 1));
}
