import type { Collective } from "./collective.ts";

/** An int32 as two numbers that float32 has exactly */
const half = 2 ** 16;

/**
 * Tells every rank which ids each of them names. The hosts wait for each other, and for no device. Every rank calls it
 * with as many lists.
 *
 * @param lists ids ≥ 0
 * @returns of each list what every rank has named, by rank
 * @throws GnnError RANK_LOST, RANK_TIMEOUT, RANK_MISMATCH as the collective does
 */
export async function shareIds(collective: Collective, lists: readonly Int32Array[]): Promise<Int32Array[][]> {
  const { rank, worldSize } = collective;
  const lengths = new Int32Array(lists.length * worldSize);
  for (const [i, list] of lists.entries()) lengths[i * worldSize + rank] = list.length;
  const all = await sumInts(collective, lengths);
  const ends = new Int32Array(all.length);
  let end = 0;
  for (const [i, length] of all.entries()) ends[i] = end += length;
  const ids = new Int32Array(end);
  const beginOf = (list: number, of: number) => ends[list * worldSize + of - 1] ?? 0;
  for (const [i, list] of lists.entries()) ids.set(list, beginOf(i, rank));
  const joined = await sumInts(collective, ids);
  return lists.map((_, i) =>
    Array.from({ length: worldSize }, (_none, of) => joined.subarray(beginOf(i, of), ends[i * worldSize + of])),
  );
}

/** Numbers of which every rank but one has a zero. */
async function sumInts(collective: Collective, values: Int32Array): Promise<Int32Array> {
  if (values.length === 0) return values;
  const halves = new Float32Array(2 * values.length);
  for (const [i, value] of values.entries()) {
    halves[2 * i] = Math.floor(value / half);
    halves[2 * i + 1] = value % half;
  }
  await collective.allReduceSum(halves);
  return values.map((_, i) => (halves[2 * i] as number) * half + (halves[2 * i + 1] as number));
}
