import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { int64Words, setInt64 } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import type { StepProgress } from "../io/step-progress.ts";
import type { RankedNodes, TopOfAll } from "../links/top-of-all.ts";
import { bucketOf } from "../spec/neighbor-lookup.ts";
import { idTexts, openNodeIds } from "./node-ids.ts";

/** Nodes whose lines are read to find one of them */
const nodesPerBucket = 64;

/**
 * Writes the neighbours of every node as lines of JSON, `["id", [["neighbour", score], …]]`, in buckets by the hash of
 * the id: whoever looks up one node reads two offsets and a bucket, however many nodes there are. Where nodes have
 * types, or links are told apart by relation, the place in `reached` of what leads to the neighbour stands behind its
 * score.
 */
export async function writeNeighborLists(
  outDir: string,
  graph: ArtifactDir,
  { nodes, scores, perNode, perType, typed, reachedAt }: TopOfAll & Pick<RankedNodes, "perType" | "typed">,
  progress: StepProgress,
): Promise<{ readonly numBuckets: number; readonly blobs: ({ readonly name: string } | WrittenArray)[] }> {
  const ids = await allIds(graph);
  const numBuckets = Math.max(1, Math.ceil(ids.length / nodesPerBucket));
  const members = nodesByBucket(ids, numBuckets);
  const lists = typed && listsByType(typed);
  const listOf = (node: number, i: number): [] | [number] => {
    if (reachedAt) return [reachedAt[node * perNode + i]!];
    return lists ? [lists[typed.groups.typeOf(node)]![Math.floor(i / perType)]!] : [];
  };
  const offsets = new BigInt64Array(numBuckets + 1);
  const words = int64Words(offsets);
  function* buckets() {
    let bytes = 0;
    for (const [bucket, of] of members.entries()) {
      const lines = of.map((node) => {
        const near: [id: string, score: number, reached?: number][] = [];
        for (let i = 0; i < perNode; i++) {
          const at = node * perNode + i;
          if (nodes[at]! < 0) continue;
          near.push([ids[nodes[at]!]!, Number(scores[at]!.toPrecision(7)), ...listOf(node, i)]);
        }
        // Lists of several types become one.
        if (typed) near.sort(([, a], [, b]) => b - a);
        return `${JSON.stringify([ids[node], near])}\n`;
      });
      const text = Buffer.from(lines.join(""));
      bytes += text.length;
      setInt64(words, bucket + 1, bytes);
      progress.report("write look-up", bucket + 1, numBuckets, "buckets");
      yield text;
    }
  }
  await pipeline(Readable.from(buckets()), createWriteStream(join(outDir, "lists.jsonl")));
  const name = "lists-offsets.npy";
  await writeNpy(join(outDir, name), "int64", [offsets.length], offsets);
  return { numBuckets, blobs: [{ name: "lists.jsonl" }, { name, dtype: "int64", shape: [offsets.length] }] };
}

/** The places in `reached` of the lists that nodes of each type have. */
function listsByType({ groups, reached }: NonNullable<RankedNodes["typed"]>): number[][] {
  return groups.names.map((_, type) => [...reached.keys()].filter((at) => reached[at]!.source === type));
}

function nodesByBucket(ids: readonly string[], numBuckets: number): number[][] {
  const members = Array.from({ length: numBuckets }, (): number[] => []);
  for (const [node, id] of ids.entries()) members[bucketOf(id, numBuckets)]?.push(node);
  return members;
}

/** The original ids of all nodes as text. */
export async function allIds(graph: ArtifactDir): Promise<string[]> {
  const ids = await openNodeIds(graph);
  const texts: string[] = [];
  try {
    for (;;) {
      const batch = await ids.read(texts.length, 65_536);
      if (batch.length === 0) return texts;
      for (const text of idTexts(batch)) texts.push(text);
    }
  } finally {
    await ids.close();
  }
}
