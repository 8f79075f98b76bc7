import { builder } from "../base/builder.ts";

interface Bins {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

export const HistogramType = builder.objectRef<Bins>("Histogram").implement({
  fields: (t) => ({
    edges: t.floatList({
      resolve: (histogram) => [...histogram.edges],
      description: "Bin edges, one more than counts",
    }),
    counts: t.field({ type: ["SafeInt"], resolve: (histogram) => [...histogram.counts] }),
  }),
});
