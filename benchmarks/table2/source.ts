/**
 * Table 2 of the multi-GPU comparison of PyG and DGL: longest training time of any process over 50 epochs on Reddit, in
 * seconds, on Tesla T4s, validation included; batch sizes are per process. Here as seconds per epoch.
 */
export const batchSizes = [512, 1024, 2048] as const;

const seconds = {
  sage: {
    1: { pyg: [4758, 3168, 2138], dgl: [3789, 2342, 1511] },
    2: { pyg: [2818, 2119, 1593], dgl: [4369, 2866, 1786] },
    4: { pyg: [4306, 3221, 2407], dgl: [5932, 3549, 2130] },
  },
  gat: {
    1: { pyg: [3270, 2096, 1550], dgl: [3536, 2272, 1504] },
    2: { pyg: [2624, 1892, 1383], dgl: [4108, 2680, 1727] },
    4: { pyg: [3946, 2980, 2211], dgl: [5976, 3453, 2054] },
  },
} as const;

export type TableModel = keyof typeof seconds;

/** The models of the source: three layers, Adam 5e-3 with weight decay 5e-4, fanouts 10, 10, 10. */
export const modelOptions = {
  sage: { hiddenFeats: 256, numLayers: 3, dropout: 0.5, l2Normalize: true },
  gat: { hiddenFeats: 16, numLayers: 3, heads: 1, outHeads: 1, dropout: 0.6, attentionDropout: 0.6 },
} as const;
export const fanouts = [10, 10, 10];

/** Seconds per epoch in the source; null for a setting it has not. */
export function sourceSeconds(
  model: TableModel,
  ranks: number,
  batchSize: number,
): { pyg: number; dgl: number } | null {
  const row = (seconds[model] as Partial<Record<number, { pyg: readonly number[]; dgl: readonly number[] }>>)[ranks];
  const column = batchSizes.indexOf(batchSize as (typeof batchSizes)[number]);
  const pyg = row?.pyg[column];
  const dgl = row?.dgl[column];
  return pyg === undefined || dgl === undefined ? null : { pyg: pyg / 50, dgl: dgl / 50 };
}
