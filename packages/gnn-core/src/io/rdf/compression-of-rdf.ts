import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import { assertNotEmpty, assertWhole, compressionOf } from "../text-file.ts";

/**
 * How a file of RDF is packed, once it is known to be whole.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function compressionOfRdf(path: string, file: string, limits: ReadingLimits): Promise<"none" | "gzip"> {
  await assertNotEmpty(path, file);
  const compression = await compressionOf(path);
  if (compression === "zstd") throw packedWithZstd(file);
  await assertWhole(path, compression, file, limits);
  return compression;
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is RDF packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
