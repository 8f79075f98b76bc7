import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { assertNotEmpty, assertWhole, compressionOf, unpackedBytes } from "../text-file.ts";
import type { GraphFacts, GraphParser, GraphPart, GraphRecord } from "./graph-record.ts";
import { collectRecords } from "./record-columns.ts";
import { RecordsTable } from "./records-table.ts";

/** In characters; no text that JavaScript holds is four times as long. */
const maxBetweenRecords = 2 ** 27;

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
  const facts: GraphFacts = { directed: null, edgeDefaults: new Map() };
  const found = recordsOf(parse, textOf(unpackedBytes(path, compression), name), name, facts);
  const records = await collectRecords(found, part, facts, name, limits);
  if (records.lines.length === 0)
    throw new GnnError("DATASET_FILE_EMPTY", `${name} holds no ${part}; correct the file, or leave its ${part} out.`, {
      place: { file: name },
    });
  return new RecordsTable(name, records);
}

/**
 * The records of a text, of which parsers hold what is not whole yet.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when too much lies between two of them
 */
async function* recordsOf(
  parse: GraphParser,
  text: AsyncIterable<string>,
  file: string,
  facts: GraphFacts,
): AsyncIterable<GraphRecord> {
  let sinceRecord = 0;
  async function* counted() {
    for await (const piece of text) {
      sinceRecord += piece.length;
      if (sinceRecord > maxBetweenRecords) throw tooFarApart(file);
      yield piece;
    }
  }
  for await (const record of parse(counted(), file, facts)) {
    sinceRecord = 0;
    yield record;
  }
}

function tooFarApart(file: string): GnnError {
  const message = `${file}: found no node and no edge within ${maxBetweenRecords} characters; expected a graph. Leave out what is not of the graph, or write nodes and edges as tables.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

/** @throws GnnError DATASET_FORMAT_INVALID when the bytes are not UTF-8 */
async function* textOf(bytes: AsyncIterable<Uint8Array>, file: string): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const message = `${file} is not UTF-8 text. Save it as UTF-8 and upload it again.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file } });
  }
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is a graph file packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
