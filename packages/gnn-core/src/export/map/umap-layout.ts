import { createRequire } from "node:module";
import type { UMAP as Umap } from "umap-js";
import { keyedHash } from "../../random/keyed-order.ts";
import type { NearestRows } from "./nearest-rows.ts";

/** Rows that are laid close to each row; UMAP counts the row itself among them. */
export const umapNeighbors = 14;
const numEpochs = 200;
/** Epochs between two looks at whether the step was told to stop */
const epochsPerTurn = 5;

/**
 * Lays rows on a plane so that those near each other stay near (McInnes, Healy and Melville 2018, arXiv:1802.03426), by
 * umap-js from exact neighbours. Deterministic: its random numbers are drawn in order from one key. Memory and time
 * grow with the number of rows: 10,000 take about 400 MiB.
 *
 * @param nearest of all rows, `umapNeighbors` each
 * @param onEpoch called with epochs done and wanted; may throw to end the layout
 * @returns       float32 [numRows, 2]; null where there are too few rows to be laid out by their neighbours
 */
export async function umapLayout(
  nearest: NearestRows,
  onEpoch: (done: number, total: number) => void = () => undefined,
): Promise<Float32Array | null> {
  const numRows = nearest.count > 0 ? nearest.rows.length / nearest.count : 0;
  // umap-js wants one more row than it has neighbours, of which a row is one itself.
  if (nearest.count < umapNeighbors || numRows <= umapNeighbors + 1) return null;
  const { UMAP } = createRequire(import.meta.url)("umap-js") as { UMAP: typeof Umap };
  const umap = new UMAP({ nNeighbors: umapNeighbors + 1, nEpochs: numEpochs, random: randomNumbers() });
  umap.setPrecomputedKNN(...withSelf(nearest, numRows));
  const epochs = umap.initializeFit(Array.from({ length: numRows }, () => []));
  for (let epoch = 0; epoch < epochs; epoch++) {
    umap.step();
    if (epoch % epochsPerTurn !== 0) continue;
    onEpoch(epoch, epochs);
    await new Promise(setImmediate);
  }
  onEpoch(epochs, epochs);
  return Float32Array.from(umap.getEmbedding().flat());
}

/** Neighbours and distances 1 − cosine, each row first among its own. */
function withSelf({ count, rows, similarities }: NearestRows, numRows: number): [number[][], number[][]] {
  const all = Array.from({ length: numRows }, (_, row) => row);
  return [
    all.map((row) => [row, ...rows.subarray(row * count, row * count + umapNeighbors)]),
    all.map((row) => [
      0,
      ...Array.from(similarities.subarray(row * count, row * count + umapNeighbors), (value) => Math.max(0, 1 - value)),
    ]),
  ];
}

function randomNumbers(): () => number {
  let drawn = 0;
  return () => keyedHash(0, drawn++) / 2 ** 32;
}
