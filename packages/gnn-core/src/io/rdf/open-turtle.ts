import { utf8TextOf } from "../graph-files/bounded-records.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { unpackedBytes } from "../text-file.ts";
import { compressionOfRdf } from "./compression-of-rdf.ts";
import { parseTurtle } from "./parse-turtle.ts";
import { TriplesTable } from "./triples-table.ts";

/**
 * Opens RDF in Turtle, TriG or N-Quads as a table of the triples that join two things.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openTurtle(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  const compression = await compressionOfRdf(path, name, limits);
  return TriplesTable.open(name, () => parseTurtle(utf8TextOf(unpackedBytes(path, compression), name), name));
}
