import { join } from "node:path";
import { DistinctPairs } from "../../graph/distinct-pairs.ts";
import { PairIndex } from "../../graph/pair-index.ts";
import type { EdgesSection } from "../dataset-spec.ts";
import { type WrittenArray, writeNpy } from "../npy.ts";
import { GrowableInt32 } from "./growable.ts";
import type { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type IngestContext, type PlacedBatch, readSection } from "./ingest-context.ts";
import type { EdgeRows } from "./read-edges.ts";

/** Pairs without a link that held-out links are judged against: int32 [pairs, 2] of NodeIndex, in the files' order */
export interface HeldOutPairs {
  readonly val: Int32Array;
  readonly test: Int32Array;
}

/** Where a `graph` artifact has them */
export const heldOutPairsFile = (side: keyof HeldOutPairs) => `edges/${side}-negatives.npy`;

type Texts = readonly (string | null)[];

/**
 * Reads the files of `edges.negatives`, once the edges are known.
 *
 * @returns null: there are none
 * @throws GnnError DATASET_NODE_UNKNOWN; DATASET_VALUE_INVALID of a pair that is a link or joins a node with itself,
 * DATASET_DUPLICATE of one that was there before, in either file; each with its place
 */
export async function readHeldOutPairs(
  context: IngestContext,
  section: EdgesSection,
  { ids, edges, directed }: { readonly ids: IdIndex; readonly edges: EdgeRows; readonly directed: boolean },
): Promise<HeldOutPairs | null> {
  if (!section.negatives) return null;
  const known = await PairIndex.of(edges, ids.size, directed);
  const seen = new DistinctPairs(directed);
  const columns = [section.src, section.dst].map((name) => ({ name, as: "text" as const }));
  const reading = { context, columns, ids, known, seen };
  const { val, test } = section.negatives;
  const { reader } = section;
  return {
    val: await readSide({ files: val, reader }, reading),
    test: await readSide({ files: test, reader }, reading),
  };
}

interface Reading {
  readonly context: IngestContext;
  readonly columns: readonly { readonly name: string; readonly as: "text" }[];
  readonly ids: IdIndex;
  readonly known: PairIndex;
  readonly seen: DistinctPairs;
}

async function readSide(files: Pick<EdgesSection, "files" | "reader">, reading: Reading): Promise<Int32Array> {
  const pairs = new GrowableInt32();
  for await (const batch of readSection(reading.context, files, reading.columns, "read pairs")) {
    for (let row = 0; row < batch.numRows; row++) {
      const [from, to] = await endsOf(batch, row, reading);
      await requireNoLink(batch, row, [from, to], reading);
      pairs.push(from);
      pairs.push(to);
    }
  }
  return pairs.values;
}

async function endsOf(batch: PlacedBatch, row: number, { columns, ids }: Reading): Promise<[number, number]> {
  const ends: number[] = [];
  for (const [i, cells] of (batch.columns as readonly Texts[]).entries()) {
    const id = idOf(cells[row] ?? null);
    const node = id === "" ? -1 : ids.indexOf(id);
    if (node < 0) {
      const found = `${JSON.stringify(id)} is not among the nodes; a pair without a link joins nodes of the graph.`;
      throw await errorAt("DATASET_NODE_UNKNOWN", batch, row, columns[i]!.name, found);
    }
    ends.push(node);
  }
  return ends as [number, number];
}

async function requireNoLink(
  batch: PlacedBatch,
  row: number,
  [from, to]: readonly [number, number],
  { columns, known, seen }: Reading,
): Promise<void> {
  const field = columns[1]!.name;
  if (from === to) {
    const found = "the pair joins a node with itself; expected two nodes.";
    throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, found);
  }
  if (known.has(from, to)) {
    const found = "the pair is a link of the edges files; expected pairs that are none. Remove the row.";
    throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, found);
  }
  if (seen.add(from, to)) return;
  const found = "the pair was there before, in this file or the other side's; expected each once. Remove the row.";
  throw await errorAt("DATASET_DUPLICATE", batch, row, field, found);
}

export async function writeHeldOutPairs(outDir: string, pairs: HeldOutPairs | null): Promise<WrittenArray[]> {
  if (!pairs) return [];
  const blobs: WrittenArray[] = [];
  for (const side of ["val", "test"] as const) {
    const name = heldOutPairsFile(side);
    const shape = [pairs[side].length / 2, 2];
    await writeNpy(join(outDir, name), "int32", shape, pairs[side]);
    blobs.push({ name, dtype: "int32", shape });
  }
  return blobs;
}
