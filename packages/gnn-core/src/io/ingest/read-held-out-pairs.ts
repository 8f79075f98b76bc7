import { join } from "node:path";
import { DistinctPairs } from "../../graph/distinct-pairs.ts";
import { PairIndex } from "../../graph/pair-index.ts";
import { TripleIndex } from "../../graph/triple-index.ts";
import type { KnownPairs } from "../../links/known-pairs.ts";
import { concatInt32 } from "../concat-arrays.ts";
import type { EdgesSection } from "../dataset-spec.ts";
import { type WrittenArray, writeNpy } from "../npy.ts";
import { GrowableInt32 } from "./growable.ts";
import { heldOutPairsFile, heldOutTypesFile } from "./held-out-files.ts";
import type { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type IngestContext, type PlacedBatch, readSection } from "./ingest-context.ts";
import type { EdgeRows } from "./read-edges.ts";

/** Pairs without a link that held-out links of a side are judged against, in the files' order */
interface PairsOfSide {
  /** int32 [pairs, 2] of NodeIndex */
  readonly ends: Int32Array;
  /** int32 [pairs], the type that no edge between them has; null: edges are all alike */
  readonly types: Int32Array | null;
}

export interface HeldOutPairs {
  readonly val: PairsOfSide;
  readonly test: PairsOfSide;
}

type Texts = readonly (string | null)[];

/**
 * Reads the files of `edges.negatives`, once the edges are known. Where edges have types, so have the pairs, in a
 * column that is called as that of the edges: what is no edge of one type may be one of another.
 *
 * @returns null: there are none
 * @throws GnnError DATASET_NODE_UNKNOWN; DATASET_VALUE_INVALID of a pair that is a link or joins a node with itself, or
 * of a type that no edge has; DATASET_DUPLICATE of one that was there before, in either file; each with its place
 */
export async function readHeldOutPairs(
  context: IngestContext,
  section: EdgesSection,
  { ids, edges, directed }: { readonly ids: IdIndex; readonly edges: EdgeRows; readonly directed: boolean },
): Promise<HeldOutPairs | null> {
  if (!section.negatives) return null;
  const named = [section.src, section.dst, ...(section.type === null ? [] : [section.type])];
  const columns = named.map((name) => ({ name, as: "text" as const }));
  // Where the edges that lead back are of another type, a pair and its reverse are two.
  const isTurnedTheSame = !directed && !section.reverseTypes;
  const types = section.type === null ? null : edges.typeNames.finish().texts;
  const known = types
    ? await knownTriples(edges, { numNodes: ids.size, isTurnedTheSame })
    : await PairIndex.of(edges, ids.size, directed);
  const reading = { context, columns, ids, known, types, seen: seenPairs(!isTurnedTheSame) };
  const { val, test } = section.negatives;
  const { reader } = section;
  return {
    val: await readSide({ files: val, reader }, reading),
    test: await readSide({ files: test, reader }, reading),
  };
}

/** The edges of the files by their types, numbered as the graph has them. */
function knownTriples(
  { src, dst, types, typeNames }: EdgeRows,
  { numNodes, isTurnedTheSame }: { readonly numNodes: number; readonly isTurnedTheSame: boolean },
): Promise<TripleIndex> {
  const { texts, finalCodes } = typeNames.finish();
  const relations = (types ?? new Int32Array(src.length)).map((code) => finalCodes[code] as number);
  const both = (one: Int32Array, other: Int32Array) => (isTurnedTheSame ? concatInt32([one, other]) : one);
  const rows = { src: both(src, dst), dst: both(dst, src), relations: both(relations, relations) };
  return TripleIndex.of(rows, { numNodes, numRelations: texts.length, directed: false });
}

/** Pairs that were there before, by their type */
function seenPairs(directed: boolean): (type: number) => DistinctPairs {
  const byType = new Map<number, DistinctPairs>();
  return (type) => {
    const known = byType.get(type) ?? new DistinctPairs(directed);
    byType.set(type, known);
    return known;
  };
}

interface Reading {
  readonly context: IngestContext;
  readonly columns: readonly { readonly name: string; readonly as: "text" }[];
  readonly ids: IdIndex;
  readonly known: KnownPairs;
  /** Types of the edges; null: they are all alike */
  readonly types: readonly string[] | null;
  readonly seen: (type: number) => DistinctPairs;
}

async function readSide(files: Pick<EdgesSection, "files" | "reader">, reading: Reading): Promise<PairsOfSide> {
  const pairs = new GrowableInt32();
  const types = new GrowableInt32();
  for await (const batch of readSection(reading.context, files, reading.columns, "read pairs")) {
    for (let row = 0; row < batch.numRows; row++) {
      const [from, to] = await endsOf(batch, row, reading);
      const type = await typeOf(batch, row, reading);
      await requireNoLink(batch, row, [from, to, type], reading);
      types.push(type);
      pairs.push(from);
      pairs.push(to);
    }
  }
  return { ends: pairs.values, types: reading.types && types.values };
}

/** The code of a pair's type; 0 where edges are all alike. */
async function typeOf(batch: PlacedBatch, row: number, { columns, types }: Reading): Promise<number> {
  if (!types) return 0;
  const text = (batch.columns as readonly Texts[])[2]?.[row] ?? "";
  const code = types.indexOf(text);
  if (code >= 0) return code;
  const found = `${JSON.stringify(text)} is no type of the edges, which are ${types.slice(0, 10).join(", ")}.`;
  throw await errorAt("DATASET_VALUE_INVALID", batch, row, columns[2]!.name, found);
}

async function endsOf(batch: PlacedBatch, row: number, { columns, ids }: Reading): Promise<[number, number]> {
  const ends: number[] = [];
  for (const [i, cells] of (batch.columns as readonly Texts[]).slice(0, 2).entries()) {
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
  [from, to, type]: readonly [number, number, number],
  { columns, known, types, seen }: Reading,
): Promise<void> {
  const field = columns[1]!.name;
  if (from === to) {
    const found = "the pair joins a node with itself; expected two nodes.";
    throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, found);
  }
  if (known.has(from, to, type)) {
    const ofType = types ? ` of the type ${types[type]}` : "";
    const found = `the pair is a link${ofType} of the edges files; expected pairs that are none. Remove the row.`;
    throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, found);
  }
  if (seen(type).add(from, to)) return;
  const found = "the pair was there before, in this file or the other side's; expected each once. Remove the row.";
  throw await errorAt("DATASET_DUPLICATE", batch, row, field, found);
}

export async function writeHeldOutPairs(outDir: string, pairs: HeldOutPairs | null): Promise<WrittenArray[]> {
  if (!pairs) return [];
  const blobs: WrittenArray[] = [];
  for (const side of ["val", "test"] as const) {
    const name = heldOutPairsFile(side);
    const { ends, types } = pairs[side];
    const shape = [ends.length / 2, 2];
    await writeNpy(join(outDir, name), "int32", shape, ends);
    blobs.push({ name, dtype: "int32", shape });
    if (!types) continue;
    const ofTypes = heldOutTypesFile(side);
    await writeNpy(join(outDir, ofTypes), "int32", [types.length], types);
    blobs.push({ name: ofTypes, dtype: "int32", shape: [types.length] });
  }
  return blobs;
}
