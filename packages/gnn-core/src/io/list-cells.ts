/** What the lists in the cells of one column have in common. */
export interface ListShape {
  /** Numbers in each list; null: some lists have more than others */
  readonly width: number | null;
  readonly isWhole: boolean;
  /** Whether they may name places: whole numbers from 0 on, some lists longer than others, as vectors are not */
  readonly areIndices: boolean;
}

/** Why a cell is not the list of numbers that it is read as. */
export type ListFault =
  | { readonly kind: "width"; readonly found: number }
  | { readonly kind: "number"; readonly position: number; readonly text: string };

const inBrackets = /^(?:\[([^[\](){}]*)\]|\(([^[\](){}]*)\)|\{([^[\](){}]*)\})$/;
const numeric = /^[\d.eE+\-,;|\s]*$/;

/**
 * The parts of a list as files write it: `[0.1, 0.2]`, `[0.1 0.2]` as numpy prints it, and without brackets `0.1;0.2`
 * as Neo4j does, `0.1|0.2` or `0.1,0.2`. What has no such sign is a list of one.
 */
function partsOf(cell: string): string[] {
  const text = cell.trim();
  const [, square, round, curly] = inBrackets.exec(text) ?? [];
  const inside = square ?? round ?? curly;
  const body = (inside ?? text).trim();
  if (body === "") return [];
  if (body.includes(";")) return body.split(";");
  if (inside === undefined) return body.split(body.includes("|") ? "|" : ",");
  return body.includes(",") ? body.split(",") : body.split(/\s+/);
}

/** Decimal digits alone: JavaScript takes `0x10` and nothing at all for numbers too. */
function numberOf(part: string): number {
  return numeric.test(part) && part.trim() !== "" ? Number(part) : Number.NaN;
}

/**
 * Reads the numbers of one list.
 *
 * @param into  takes them from `at` on
 * @param width how many there must be
 * @returns null when all is well
 */
export function readList(cell: string, width: number, into: Float64Array, at: number): ListFault | null {
  const parts = partsOf(cell);
  if (parts.length !== width) return { kind: "width", found: parts.length };
  for (const [i, part] of parts.entries()) {
    const value = numberOf(part);
    if (!Number.isFinite(value)) return { kind: "number", position: i + 1, text: part.trim() };
    into[at + i] = value;
  }
  return null;
}

/** Single numbers, whose commas and points are decimal points or stand between the thousands */
const oneNumber = /^[+-]?(?:\d*,\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+)$/;

/** Whether cells without brackets are lists: each has a semicolon, or some have commas as no number has. */
function areListed(cells: readonly string[]): boolean {
  return (
    cells.every((cell) => cell.includes(";")) ||
    (cells.every((cell) => cell.includes(",")) && cells.some((cell) => !oneNumber.test(cell.trim())))
  );
}

/** Null: the cells are no lists of numbers. */
export function listShapeOf(cells: readonly string[]): ListShape | null {
  let width: number | null | undefined;
  let isWhole = true;
  let areFromZero = true;
  // An empty list may stand for a vector that is missing.
  const lengths = new Set<number>();
  const plain = cells.filter((cell) => !inBrackets.test(cell.trim()));
  if (plain.length > 0 && !areListed(plain)) return null;
  for (const cell of cells) {
    const parts = partsOf(cell);
    if (parts.some((part) => !Number.isFinite(numberOf(part)))) return null;
    isWhole &&= parts.every((part) => /^\s*[+-]?\d+\s*$/.test(part));
    areFromZero &&= parts.every((part) => numberOf(part) >= 0);
    if (parts.length > 0) lengths.add(parts.length);
    width = width === undefined || width === parts.length ? parts.length : null;
  }
  if (width === undefined) return null;
  const areIndices = isWhole && areFromZero && lengths.size > 1;
  return { width: width === 0 ? null : width, isWhole, areIndices };
}

/** Indices count below the largest number of columns that a matrix has. */
const endOfIndices = 2 ** 31 - 1;

/**
 * Reads a list of places from 0 on, of any length, between commas, semicolons, bars or blanks.
 *
 * @returns them as they stand; or the first part of the list that is none
 */
export function readIndices(cell: string): Int32Array | { readonly position: number; readonly text: string } {
  const text = cell.trim();
  const [, square, round, curly] = inBrackets.exec(text) ?? [];
  const body = (square ?? round ?? curly ?? text).trim();
  const parts = body === "" ? [] : body.split(/\s*[,;|]\s*|\s+/);
  const indices = new Int32Array(parts.length);
  for (const [i, part] of parts.entries()) {
    const index = /^\d{1,10}$/.test(part) ? Number(part) : Number.NaN;
    if (!(index < endOfIndices)) return { position: i + 1, text: part };
    indices[i] = index;
  }
  return indices;
}
