declare const handle: unique symbol;
/** A scanner in the middle of a file. */
export type IntegerScannerHandle = { readonly [handle]: "integerScanner" };
/** A scanner in the middle of a file. */
export type TextScannerHandle = { readonly [handle]: "textScanner" };
/** A table from texts to positions. */
export type TextTableHandle = { readonly [handle]: "textTable" };

export interface ScanOptions {
  /** One character; empty: fields stand between runs of blanks and tabs */
  readonly delimiter: string;
  /** Lines that begin with it are skipped; empty: none */
  readonly comment: string;
  /** The first line is skipped */
  readonly header: boolean;
  readonly numColumns: number;
  /** Columns of ids */
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

/** Texts one behind the other, in UTF-8: text i is the bytes from `offsets[i]` to `offsets[i + 1]`. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** The ids row by row, in the order of the columns asked for. */
export interface ScannedTexts extends PackedTexts {
  readonly numRows: number;
  readonly numbers: readonly Float64Array[];
  /** Rows whose first id begins as comments do, or that have an id such as `3.0` */
  readonly odd: Int32Array;
  /** A line was out of the ordinary; it and what follows are not read. */
  readonly stopped: boolean;
}

/** Functions of the addon that read the ids of files. All run on the calling thread. */
export interface IngestAddon {
  /** Takes ids that are canonical decimals of at most 15 digits */
  createIntegerScanner(options: ScanOptions): IntegerScannerHandle;
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
    salt: Int32Array,
    src: Float64Array,
    dst: Float64Array,
    add: boolean,
    next: number,
    srcOut: Int32Array,
    dstOut: Int32Array,
  ): Float64Array;
  /** Takes ids of any text */
  createTextScanner(options: ScanOptions): TextScannerHandle;
  scanTexts(scanner: TextScannerHandle, chunk: Uint8Array, isLast: boolean): ScannedTexts;
  createTextTable(): TextTableHandle;
  /** Position of the text, or -1 */
  findText(table: TextTableHandle, text: string): number;
  /** Adds a text unless it is there. @returns whether it was not */
  addText(table: TextTableHandle, text: string, position: number): boolean;
  /** As many texts as there are from number `first` on, at most `count`, in the order in which they were added */
  textsOf(table: TextTableHandle, first: number, count: number): PackedTexts;
  /** Whether every text is how an int64 prints */
  isInt64(table: TextTableHandle): boolean;
  /** As `relabelPairs`, for rows whose two ids are texts; what is returned has NaN for each id that is kept as text */
  relabelTexts(
    direct: Int32Array,
    keys: Float64Array,
    slots: Int32Array,
    salt: Int32Array,
    texts: TextTableHandle,
    bytes: Uint8Array,
    offsets: Uint32Array,
    add: boolean,
    next: number,
    srcOut: Int32Array,
    dstOut: Int32Array,
  ): Float64Array;
}
