import { type Escape, hasQuotes } from "../dialect/dialect.ts";

/** Something in a CSV file that no reader can make a row of. */
export interface BadRecord {
  /** 1-based line on which the record starts. */
  readonly line: number;
  readonly numFields: number;
  readonly problem: "fields" | "quote" | "unterminated";
  /** Whether it begins with #, % or /, as comments do. */
  readonly isLikeComment: boolean;
}

/** Is told of every record: its place, its fields, what is wrong with it. */
export type OnRecord = (
  line: number,
  numFields: number,
  problem: BadRecord["problem"] | null,
  isLikeComment: boolean,
) => void;

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const backslash = 0x5c;

const commentSigns = new Set(Buffer.from("#%/"));

const states = { fieldStart: 0, plain: 1, quoted: 2, afterQuote: 3, escaped: 4 } as const;

/**
 * Walks a CSV file byte by byte, counting lines, records and fields as RFC 4180 has them; blank lines are no
 * records unless there is one column. It holds nothing and converts nothing: it finds the places for messages
 * about what the fast reader refused or flagged.
 */
export class CsvScanner {
  readonly #delimiter: Uint8Array;
  readonly #hasQuotes: boolean;
  /** How many bytes of the delimiter came last */
  #numMatched = 0;
  readonly #onRecord: OnRecord;
  #state: number = states.fieldStart;
  #line = 1;
  #startLine = 1;
  #numFields = 1;
  #isEmpty = true;
  #strayQuote = false;
  #afterReturn = false;
  #isLikeComment = false;
  readonly #hasBackslashes: boolean;

  constructor(delimiter: string, onRecord: OnRecord, escape: Escape = '"') {
    this.#hasBackslashes = escape === "\\";
    this.#delimiter = Buffer.from(delimiter);
    this.#hasQuotes = hasQuotes(delimiter);
    this.#onRecord = onRecord;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) this.#step(byte);
  }

  end(): void {
    if (this.#state === states.quoted || this.#state === states.escaped)
      this.#onRecord(this.#startLine, this.#numFields, "unterminated", this.#isLikeComment);
    else if (!this.#isEmpty) this.#endRecord();
  }

  #step(byte: number): void {
    const isPairedNewline = byte === newline && this.#afterReturn;
    this.#afterReturn = byte === carriageReturn;
    if (isPairedNewline) {
      if (this.#state !== states.quoted) this.#startLine = this.#line;
      return;
    }
    if (byte === newline || byte === carriageReturn) this.#line++;
    if (this.#state === states.escaped) {
      this.#state = states.quoted;
      return;
    }
    if (this.#state === states.quoted) {
      if (byte === quote) this.#state = states.afterQuote;
      else if (byte === backslash && this.#hasBackslashes) this.#state = states.escaped;
      return;
    }
    if (byte === newline || byte === carriageReturn) return this.#endRecord();
    if (this.#isEmpty) this.#isLikeComment = commentSigns.has(byte);
    this.#isEmpty = false;
    if (this.#endsField(byte)) {
      this.#numFields++;
      this.#state = states.fieldStart;
    } else if (this.#numMatched > 0 && this.#state === states.afterQuote) {
      return;
    } else if (byte === quote && this.#hasQuotes && this.#state !== states.plain && !this.#isSecondQuote()) {
      this.#state = states.quoted;
    } else {
      if (this.#state === states.afterQuote) this.#strayQuote = true;
      this.#state = states.plain;
    }
  }

  /** Whether the byte is the last one of a delimiter. */
  #endsField(byte: number): boolean {
    if (byte === this.#delimiter[this.#numMatched]) this.#numMatched++;
    else this.#numMatched = byte === this.#delimiter[0] ? 1 : 0;
    if (this.#numMatched < this.#delimiter.length) return false;
    this.#numMatched = 0;
    return true;
  }

  /** Behind a closing quote, where backslashes stand before those within. */
  #isSecondQuote(): boolean {
    return this.#hasBackslashes && this.#state === states.afterQuote;
  }

  #endRecord(): void {
    this.#numMatched = 0;
    this.#onRecord(
      this.#startLine,
      this.#isEmpty ? 0 : this.#numFields,
      this.#strayQuote ? "quote" : null,
      this.#isLikeComment,
    );
    this.#state = states.fieldStart;
    this.#startLine = this.#line;
    this.#numFields = 1;
    this.#isEmpty = true;
    this.#strayQuote = false;
    this.#isLikeComment = false;
  }
}
