import { existsSync } from "node:fs";
import { join } from "node:path";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { type IdBatch, idTexts } from "./node-ids.ts";

/** The nodes of one type, for a file of their own. */
export interface NodesOfType {
  readonly name: string;
  /** What stands for the type in names of files: letters, digits, - and _ */
  readonly fileTag: string;
  readonly code: number;
  /** int32 [numNodes], the type of each node */
  readonly codes: Int32Array;
  /** The nodes of the type lie in [first, end). */
  readonly first: number;
  readonly end: number;
  /** What the stored ids begin with and the user's do not, where types have ids alike */
  readonly prefix: string;
}

const graphTypes = graphInfo.pick({ nodeTypes: true, hasTypeInIds: true });

/** The types of a graph that have nodes; none where all nodes are alike. */
export function nodesByType({ dir, manifest }: ArtifactDir): readonly NodesOfType[] {
  const { nodeTypes, hasTypeInIds = false } = graphTypes.parse(manifest.info);
  const path = join(dir, "nodes/type.npy");
  if (nodeTypes.length < 2 || !existsSync(path)) return [];
  const { values: codes } = mapNpy(path, "int32");
  const tags = fileTags(nodeTypes);
  return nodeTypes.flatMap((name, code) => {
    const first = codes.indexOf(code);
    if (first < 0) return [];
    const prefix = hasTypeInIds ? `${name}/` : "";
    return [{ name, fileTag: tags[code]!, code, codes, first, end: codes.lastIndexOf(code) + 1, prefix }];
  });
}

/** Names of files that differ although what sets two types apart may not stand in one. */
function fileTags(names: readonly string[]): readonly string[] {
  const tags: string[] = [];
  for (const name of names) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_");
    let tag = plain;
    for (let i = 2; tags.some((other) => other.toLowerCase() === tag.toLowerCase()); i++) tag = `${plain}-${i}`;
    tags.push(tag);
  }
  return tags;
}

/** Which of the rows from `start` on are of the type. */
export function rowsOfType({ code, codes }: NodesOfType, start: number, length: number): Int32Array {
  return Int32Array.from({ length }, (_, row) => row).filter((row) => codes[start + row] === code);
}

/** Some ids of a batch, as the user wrote them. */
export function idsOfType(ids: IdBatch, rows: Int32Array, { prefix }: NodesOfType): IdBatch {
  if (ids.type === "int64") {
    return { type: "int64", length: rows.length, values: BigInt64Array.from(rows, (row) => ids.values[row]!) };
  }
  const all = idTexts(ids);
  const texts = Array.from(rows, (row) => Buffer.from(all[row]!.slice(prefix.length)));
  const offsets = new Int32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) offsets[i + 1] = offsets[i]! + text.length;
  return { type: "string", length: texts.length, offsets, bytes: Buffer.concat(texts) };
}
