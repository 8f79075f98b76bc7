import { GnnError } from "../errors/gnn-error.ts";
import { always } from "../graph/edge-times.ts";
import type { LinksOfRows } from "../graph/links-of-rows.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { keyedHash } from "../random/keyed-order.ts";

/** How links are told apart into those to learn from, to choose by and to judge by. */
export type LinkSides =
  /** Shares of the links, drawn by (seed, the ids of both ends); the rest trains */
  | { readonly type: "random"; readonly val: number; readonly test: number; readonly seed: number }
  /**
   * A `splitCode` per row, from a column or from a file per side. A link with rows on several sides goes to the one
   * that is held out most: test before val before train. Where none is val, the share `val` of those that train is.
   */
  | { readonly type: "column"; readonly split: ArrayLike<number>; readonly val?: number }
  /**
   * A time per row. A link is as old as its first row; the newest are test, those before them val. Links of one time
   * stay together, so that all that trains is older than all that is evaluated. What has `always` been there trains,
   * and no share is counted of it.
   */
  | { readonly type: "time"; readonly times: ArrayLike<number>; readonly val: number; readonly test: number };

/**
 * The side of every link.
 *
 * @returns int8 [numLinks], one of `splitCode`
 * @throws GnnError SPEC_INVALID for shares that leave nothing to train on; DATASET_VALUE_INVALID with its row for a
 * code or time that is none; SHAPE_MISMATCH unless there is one per row; TRAIN_NO_LABELS
 */
export function sidesOf(links: LinksOfRows, sides: LinkSides): Int8Array {
  const side = sides.type === "column" ? byColumn(links, sides) : byShares(links, sides);
  if (side.includes(splitCode.train)) return side;
  throw new GnnError("TRAIN_NO_LABELS", `None of the ${links.numLinks} links is left to train on; hold fewer out.`);
}

function byShares(links: LinksOfRows, sides: Exclude<LinkSides, { type: "column" }>): Int8Array {
  const { val, test } = sides;
  if (!(val >= 0 && test >= 0 && val + test < 1)) {
    const found = `${val} of the links are for val and ${test} for test`;
    throw new GnnError("SPEC_INVALID", `${found}; expected shares from 0 on that add up to less than 1.`);
  }
  return sides.type === "random" ? atRandom(links, sides) : byTime(links, sides);
}

function byColumn(links: LinksOfRows, { split, val = 0 }: Extract<LinkSides, { type: "column" }>): Int8Array {
  const { numLinks, linkOf } = links;
  checkLength(split, linkOf.length, "codes of a side");
  const side = new Int8Array(numLinks);
  for (let row = 0; row < linkOf.length; row++) {
    const code = split[row] as number;
    if (!Object.values<number>(splitCode).includes(code)) {
      const message = `Row ${row} has the code ${code}; expected 0 (none), 1 (train), 2 (val) or 3 (test).`;
      throw new GnnError("DATASET_VALUE_INVALID", message, { place: { line: row + 1 } });
    }
    const link = linkOf[row] as number;
    // Codes ascend with what is held out.
    side[link] = Math.max(side[link] as number, code);
  }
  if (val > 0 && !side.includes(splitCode.val)) holdOut(links, side, val);
  return side;
}

/** Takes a share of the links that train for val, drawn by the ids of both ends. */
function holdOut({ low, high }: LinksOfRows, side: Int8Array, val: number): void {
  const trained = Int32Array.from(side.keys()).filter((link) => side[link] === splitCode.train);
  const keys = new Map(Array.from(trained, (link) => [link, keyedHash(0, low[link] as number, high[link] as number)]));
  const order = trained.toSorted((a, b) => (keys.get(a) as number) - (keys.get(b) as number) || a - b);
  for (const link of order.subarray(0, Math.round(val * order.length))) side[link] = splitCode.val;
}

function atRandom(
  { numLinks, low, high }: LinksOfRows,
  { val, test, seed }: Extract<LinkSides, { type: "random" }>,
): Int8Array {
  const keys = Float64Array.from(low, (a, link) => keyedHash(seed, a, high[link] as number));
  const order = Int32Array.from(low.keys()).toSorted((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  const numTest = Math.round(test * numLinks);
  const numVal = Math.round((val + test) * numLinks) - numTest;
  const side = new Int8Array(numLinks).fill(splitCode.train);
  for (const link of order.subarray(0, numTest)) side[link] = splitCode.test;
  for (const link of order.subarray(numTest, numTest + numVal)) side[link] = splitCode.val;
  return side;
}

function byTime(
  { numLinks, linkOf }: LinksOfRows,
  { times, val, test }: Extract<LinkSides, { type: "time" }>,
): Int8Array {
  const born = bornOf({ numLinks, linkOf }, times);
  const dated = born.filter((time) => time !== always).toSorted();
  const first = (newest: number) => dated[dated.length - Math.round(newest * dated.length)] ?? Number.POSITIVE_INFINITY;
  const [testFrom, valFrom] = [first(test), first(val + test)];
  return Int8Array.from(born, (time) =>
    time >= testFrom ? splitCode.test : time >= valFrom ? splitCode.val : splitCode.train,
  );
}

/**
 * When every link came to be: the earliest time of its rows, float64 [numLinks].
 *
 * @throws GnnError SHAPE_MISMATCH unless there is a time per row, DATASET_VALUE_INVALID with its row for no number
 */
export function bornOf(
  { numLinks, linkOf }: Pick<LinksOfRows, "numLinks" | "linkOf">,
  times: ArrayLike<number>,
): Float64Array {
  checkLength(times, linkOf.length, "times");
  const born = new Float64Array(numLinks).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < linkOf.length; row++) {
    const time = times[row] as number;
    if (!Number.isFinite(time) && time !== always) {
      throw new GnnError("DATASET_VALUE_INVALID", `Row ${row} has the time ${time}; expected a number.`, {
        place: { line: row + 1 },
      });
    }
    const link = linkOf[row] as number;
    born[link] = Math.min(born[link] as number, time);
  }
  return born;
}

function checkLength(values: ArrayLike<number>, numRows: number, what: string): void {
  if (values.length === numRows) return;
  throw new GnnError("SHAPE_MISMATCH", `${values.length} ${what} for ${numRows} rows of edges; expected one for each.`);
}
