import { GnnError } from "../errors/gnn-error.ts";
import type { Collective } from "./collective.ts";

/** Bytes of a rank, the first two of which are the length of its text */
const widthBytes = 1024;
const mostBytes = widthBytes - 2;

/**
 * What every rank tells the others, in the order of the ranks, as a sum in which each fills places of its own. All of
 * them call it at the same place.
 *
 * @param own  what JSON holds in 1,022 bytes
 * @throws GnnError RANK_MISMATCH when it is larger
 */
export async function tellRanks<Told>(collective: Collective, own: Told): Promise<Told[]> {
  const { rank, worldSize } = collective;
  const text = new TextEncoder().encode(JSON.stringify(own));
  if (text.length > mostBytes) {
    throw new GnnError("RANK_MISMATCH", `A rank may tell the others ${mostBytes} bytes; these are ${text.length}.`);
  }
  // float32 holds all bytes, and their sums with zeros.
  const bytes = new Float32Array(worldSize * widthBytes);
  bytes.set([text.length >> 8, text.length & 255, ...text], rank * widthBytes);
  await collective.allReduceSum(bytes);
  return Array.from(
    { length: worldSize },
    (_, i) => read(bytes.subarray(i * widthBytes, (i + 1) * widthBytes)) as Told,
  );
}

function read(bytes: Float32Array): unknown {
  const [high = 0, low = 0] = bytes;
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes.subarray(2, 2 + high * 256 + low))));
}
