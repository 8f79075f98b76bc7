declare const handle: unique symbol;
/** A scanner in the middle of a file. */
export type IntegerScannerHandle = { readonly [handle]: "integerScanner" };

export interface IntegerScanOptions {
  /** One character; empty: fields stand between runs of blanks and tabs */
  readonly delimiter: string;
  /** Lines that begin with it are skipped; empty: none */
  readonly comment: string;
  /** The first line is skipped */
  readonly header: boolean;
  readonly numColumns: number;
  /** Columns of canonical decimals of at most 15 digits */
  readonly ids: readonly number[];
  /** Columns of decimal numbers that fit float32 */
  readonly numbers: readonly number[];
}

export interface ScannedRows {
  readonly numRows: number;
  readonly ids: readonly Float64Array[];
  readonly numbers: readonly Float64Array[];
  /** A line was out of the ordinary; it and what follows are not read. */
  readonly stopped: boolean;
}

/** Functions of the addon that read files of integer ids. All run on the calling thread. */
export interface IngestAddon {
  createIntegerScanner(options: IntegerScanOptions): IntegerScannerHandle;
  /** Rows of the lines that end in this chunk; `isLast`: also of what follows the last line break */
  scanIntegers(scanner: IntegerScannerHandle, chunk: Uint8Array, isLast: boolean): ScannedRows;
  /**
   * Positions of both ends of each row in the table of `IntegerTable`, -1 where there is none; with `add` such keys get
   * the positions from `next` on, and are returned in that order.
   */
  relabelPairs(
    direct: Int32Array,
    keys: Float64Array,
    slots: Int32Array,
    src: Float64Array,
    dst: Float64Array,
    add: boolean,
    next: number,
    srcOut: Int32Array,
    dstOut: Int32Array,
  ): Float64Array;
}
