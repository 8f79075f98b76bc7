import { totalmem } from "node:os";
import { GnnError } from "../../errors/gnn-error.ts";

/** The most that is allowed of something, and what an operator changes to allow more; errors name both. */
export interface Limit {
  readonly most: number;
  readonly setting: string;
}

/**
 * What reading one uploaded file may come to, however small the file is. A reader checks before it unpacks or
 * allocates, by what the file says of itself, and again as it goes on, for files that lie.
 */
export interface ReadingLimits {
  /** Bytes of its contents, unpacked */
  readonly unpackedBytes: Limit;
  /** Unpacked bytes per byte of the file; the first `alwaysUnpacked` bytes are free of it. */
  readonly expansion: Limit;
  readonly rows: Limit;
  readonly columns: Limit;
  /** What a query engine may hold while it reads */
  readonly memoryBytes: Limit;
  /** Until all files have been previewed */
  readonly previewSeconds: Limit;
  /** Until all rows have been read */
  readonly ingestSeconds: Limit;
}

/** Small enough for any host; a short file of equal rows is no attack. */
export const alwaysUnpacked = 256 * 2 ** 20;

const gib = 2 ** 30;

/** Generous to graphs of billions of edges, and far below what a packed file can pretend to be. */
export const defaultReadingLimits: ReadingLimits = {
  unpackedBytes: { most: 256 * gib, setting: "limits.unpackedBytes" },
  expansion: { most: 200, setting: "limits.expansion" },
  rows: { most: 4_000_000_000, setting: "limits.rows" },
  columns: { most: 10_000, setting: "limits.columns" },
  memoryBytes: { most: Math.floor(0.8 * totalmem()), setting: "limits.memoryBytes" },
  previewSeconds: { most: 600, setting: "limits.previewSeconds" },
  ingestSeconds: { most: 12 * 3600, setting: "limits.ingestSeconds" },
};

/** @param found what the file has, as a clause: `it has 12 columns` */
export function overLimit(file: string, found: string, { most, setting }: Limit): GnnError {
  const message = `${file}: ${found}; the limit is ${most} (${setting}). Upload less, or have an operator raise the limit.`;
  return new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file } });
}

/** @throws GnnError DATASET_LIMIT_EXCEEDED */
export function checkRows(file: string, rows: number, limits: ReadingLimits): void {
  if (rows > limits.rows.most) throw overLimit(file, `it has ${rows} rows or more`, limits.rows);
}

/** @throws GnnError DATASET_LIMIT_EXCEEDED */
export function checkColumns(file: string, columns: number, limits: ReadingLimits): void {
  if (columns > limits.columns.most) throw overLimit(file, `it has ${columns} columns`, limits.columns);
}

/**
 * Checks what a file of `packed` bytes unpacks to.
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED
 */
export function checkUnpacked(file: string, packed: number, unpacked: number, limits: ReadingLimits): void {
  const { unpackedBytes, expansion } = limits;
  if (unpacked > unpackedBytes.most) throw overLimit(file, `it unpacks to ${unpacked} bytes or more`, unpackedBytes);
  if (unpacked <= Math.max(alwaysUnpacked, packed * expansion.most)) return;
  const times = Math.floor(unpacked / Math.max(1, packed));
  throw overLimit(file, `its ${packed} bytes unpack to ${unpacked} or more, ${times} times as many`, expansion);
}
