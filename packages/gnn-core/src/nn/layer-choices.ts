/** What options choose between, by name; free of tensor imports, as option schemas read it. */
export const sageAggregators = ["mean", "concat", "gcn", "pool"] as const;
export type SageAggregator = (typeof sageAggregators)[number];

export const norms = ["none", "layer", "batch"] as const;
export type Norm = (typeof norms)[number];

export const relationSoftmaxes = ["withinRelation", "acrossRelations"] as const;
export type RelationSoftmax = (typeof relationSoftmaxes)[number];
