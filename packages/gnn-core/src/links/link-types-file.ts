import { join } from "node:path";
import type { ArtifactDir } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import { NodeGroups } from "./node-groups.ts";

const name = "node-types.npy";

/** Writes the type of every node beside the links, where nodes have several: int32 [numNodes] by NodeIndex. */
export async function writeNodeGroups(
  outDir: string,
  numNodes: number,
  groups: NodeGroups | null,
): Promise<WrittenArray[]> {
  if (!groups) return [];
  const codes = Int32Array.from({ length: numNodes }, (_, node) => groups.typeOf(node));
  await writeNpy(join(outDir, name), "int32", [numNodes], codes);
  return [{ name, dtype: "int32", shape: [numNodes] }];
}

/**
 * The nodes of a `links` artifact by type; null: they are all alike.
 *
 * @param nodeMap NodeIndex of every GlobalId; null: by NodeIndex
 */
export function readNodeGroups(links: ArtifactDir, nodeMap: Int32Array | null): NodeGroups | null {
  const { nodeTypes: names } = parseLinksInfo(links);
  if (names.length === 0) return null;
  const { values } = mapNpy(join(links.dir, name), "int32");
  return NodeGroups.of({ names, codes: nodeMap?.map((node) => values[node] as number) ?? values });
}
