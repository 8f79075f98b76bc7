/** What a card says of a GCN of one layer that was trained elsewhere; `more` goes before it. */
export function plainCard({ inDim, outDim, ...more }: Record<string, unknown> & { inDim: number; outDim: number }) {
  return {
    model: { type: "gcn", options: { numLayers: 1 } },
    shape: { inDim, outDim, seed: 0 },
    task: { target: "label" },
    epochs: 0,
    steps: 0,
    best: null,
    metrics: {},
    transforms: [],
    structural: null,
    embedding: null,
    ...more,
  };
}
