/** What ours.ts and its peer share. */
export type ToPeer =
  | { readonly bench: "cpu" | "listen" }
  | { readonly bench: "connect"; readonly way: string; readonly secret: string | null };

export type FromPeer =
  | { readonly bench: "ready" | "hosted" }
  | { readonly bench: "port"; readonly port: number }
  | { readonly bench: "cpu"; readonly seconds: number };

/** Added to the count of a request over a plain socket: the rows as they lie, no look-up. */
export const isInOrder = 0x4000_0000;

/** Row r is r everywhere. */
export function values(numRows: number, dim: number): Float32Array {
  const rows = new Float32Array(numRows * dim);
  for (let row = 0; row < numRows; row++) rows.fill(row, row * dim, (row + 1) * dim);
  return rows;
}
