import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { TableSource } from "../table-source.ts";
import { textLines } from "../text-lines.ts";
import { compressionOfRdf } from "./compression-of-rdf.ts";
import { parseTriple } from "./parse-triple.ts";
import { type FoundTriple, TriplesTable } from "./triples-table.ts";

/**
 * Opens RDF with a triple on each line as a table of the triples that join two things.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openNTriples(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  const compression = await compressionOfRdf(path, name, limits);
  return TriplesTable.open(name, () => triplesOf(path, compression, name));
}

async function* triplesOf(path: string, compression: "none" | "gzip", file: string): AsyncGenerator<FoundTriple> {
  for await (const { line, text } of textLines(path, compression, file)) {
    const found = parseTriple(text);
    if (found === "damaged") throw damaged(file, line);
    if (found !== null) yield { line, triple: found === "literal" ? null : found };
  }
}

function damaged(file: string, line: number): GnnError {
  const message = `${file}, line ${line}: found no triple; expected <subject> <predicate> <object> and a point, as in N-Triples.`;
  return new GnnError("DATASET_ROW_INVALID", message, { place: { file, line } });
}
