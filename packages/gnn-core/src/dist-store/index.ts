/** Rows that the ranks of a job share: by global id, wherever they are. */

export type { RowArray, RowDtype, RowSchema } from "../partition/row-schema.ts";
export { DistEmbedding, type DistEmbeddingOptions, type RowUpdate } from "./dist-embedding.ts";
export { DistGraph, type MaskTensor, type SampleKey, type WalkKey } from "./dist-graph.ts";
export { DistStore } from "./dist-store.ts";
export { DistTensor, type DistTensorOptions, type HostedTensorOptions } from "./dist-tensor.ts";
export type { DistMessageInput, DistUpdateOptions } from "./dist-update-all.ts";
export { restoreEmbeddings, saveEmbeddings } from "./embedding-checkpoint.ts";
export { cutGraph, type GraphPart, loadGraphPart, type PartRows } from "./graph-part.ts";
export { inProcessRowServices } from "./in-process-rows.ts";
export { constantRows, normalRows, type RowInitializer, uniformRows } from "./initializers.ts";
export { partitionedData } from "./partitioned-data.ts";
export type { RowCallOptions, RowCounters, RowService, RowSums } from "./row-service.ts";
export { SeedShare } from "./seed-share.ts";
export {
  SparseAdagrad,
  type SparseAdagradOptions,
  SparseAdam,
  type SparseAdamOptions,
  SparseOptimizer,
} from "./sparse-optimizer.ts";
export { connectRowService, type RowServiceOptions } from "./zeromq-rows.ts";
