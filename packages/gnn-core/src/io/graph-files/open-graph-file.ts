import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { assertNotEmpty, assertWhole, compressionOf, unpackedBytes } from "../text-file.ts";
import { boundedRecords, utf8TextOf } from "./bounded-records.ts";
import type { GraphFacts, GraphParser, GraphPart } from "./graph-record.ts";
import { collectRecords } from "./record-columns.ts";
import { RecordsTable } from "./records-table.ts";

/**
 * Opens the nodes or the edges of a file that holds a whole graph. They are kept in memory: such files are read from
 * their beginning to their end, since what they say of the graph may stand anywhere.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openGraphFile(
  parse: GraphParser,
  part: GraphPart,
  path: string,
  name: string,
  limits: ReadingLimits,
): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  if (compression === "zstd") throw packedWithZstd(name);
  await assertWhole(path, compression, name, limits);
  const facts: GraphFacts = { directed: null, edgeDefaults: new Map(), notes: new Set() };
  const text = utf8TextOf(unpackedBytes(path, compression), name);
  const found = boundedRecords(
    (pieces) => parse(pieces, name, facts),
    text,
    (most) => tooFarApart(name, most),
  );
  const records = await collectRecords(found, part, facts, name, limits);
  if (records.lines.length === 0)
    throw new GnnError("DATASET_FILE_EMPTY", `${name} holds no ${part}; correct the file, or leave its ${part} out.`, {
      place: { file: name },
    });
  return new RecordsTable(name, records, [...facts.notes]);
}

function tooFarApart(file: string, most: number): GnnError {
  const message = `${file}: found no node and no edge within ${most} characters; expected a graph. Leave out what is not of the graph, or write nodes and edges as tables.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is a graph file packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
