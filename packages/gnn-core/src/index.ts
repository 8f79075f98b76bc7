/** The engine as a library: everything a TypeScript program needs to train in memory, without the service. */

export { clusterGraph } from "./cluster/cluster-graph.ts";
export { linearProbe, type ProbeAccuracy, type ProbeNodes, type ProbeRows } from "./contrast/linear-probe.ts";
export { type AggregateFeatures, aggregateFeatures } from "./control-variate/aggregate-features.ts";
export { controlVariateSum } from "./control-variate/control-variate-sum.ts";
export { type NeighborSum, neighborSum, sumNeighbors } from "./control-variate/neighbor-sum.ts";
export { type SharedRows, sharedRowsIn, sharedRowsInMemory } from "./dist/shared-rows.ts";
export * from "./dist-store/index.ts";
export { edgeSides, type GivenSides } from "./edges/edge-sides.ts";
export type { EdgeLearning, EdgeObjective, LabelledEdges } from "./edges/edge-task.ts";
export type { ExplainedModel } from "./explain/computation-graph.ts";
export { explainNode, type NodeExplanation } from "./explain/explain-node.ts";
export type { ExplainOptions } from "./explain/explain-options.ts";
export { CsrFeatureStore, type CsrMatrix } from "./features/csr-feature-store.ts";
export { DenseFeatureStore } from "./features/dense-feature-store.ts";
export { encodeRows, fitColumnScale } from "./features/encode-rows.ts";
export type { ColumnScale, FeatureDtype } from "./features/feature-dtype.ts";
export type { FeatureRows, FeatureStore } from "./features/feature-store.ts";
export { noFeatures } from "./features/no-features.ts";
export {
  type CitationGraph,
  type CitationGraphOptions,
  trapIds,
  writeCitationGraph,
} from "./generate/citation-graph.ts";
export { generateRmatGraph } from "./generate/generate-rmat-graph.ts";
export { type GenerateShapedOptions, generateShapedGraph } from "./generate/generate-shaped-graph.ts";
export type { GenerationOptions } from "./generate/generation-options.ts";
export { type GraphShape, type GraphShapeName, graphShapes, scaleShape } from "./generate/graph-shape.ts";
export { type RmatOptions, rmatGraph } from "./generate/rmat-graph.ts";
export { type ShapedGraph, shapedGraph } from "./generate/shaped-graph.ts";
export { readShapedGraph, writeShapedGraph } from "./generate/shaped-graph-files.ts";
export { type DatasetFiles, writeDatasetFiles } from "./generate/write-dataset-files.ts";
export type { Block, Importance } from "./graph/block.ts";
export type { CscGraph, CscPart, NodeTypes } from "./graph/csc-graph.ts";
export { type EdgeList, graphFromEdges } from "./graph/graph-from-edges.ts";
export { graphFromRelations, type RelationEdgeList, type RelationEdgeLists } from "./graph/graph-from-relations.ts";
export type { BlockId, EdgeId, GlobalId, LocalId, NodeIndex, OriginalId } from "./graph/ids.ts";
export { inducedSubgraph } from "./graph/induced-subgraph.ts";
export { type LabelSets, labelSetsOf } from "./graph/label-sets.ts";
export { type EdgeDir, messageGraph } from "./graph/message-graph.ts";
export type { NodeTargets } from "./graph/node-targets.ts";
export { PairIndex } from "./graph/pair-index.ts";
export { randomSplit, splitCode } from "./graph/split-nodes.ts";
export { type TimedEdges, timedEdges } from "./graph/timed-edges.ts";
export type { ClassificationData, TrainingData } from "./graph/training-data.ts";
export { TripleIndex } from "./graph/triple-index.ts";
export { numCodesOf, turnedRelation } from "./graph/turned-relation.ts";
export { type InferredRows, inferNodes } from "./infer/infer-nodes.ts";
export { type LayerwiseParts, layerwiseInference } from "./infer/layerwise-inference.ts";
export { type NpyArray, NpyReader, NpyWriter, readNpy, writeNpy } from "./io/npy.ts";
export { type CsrMatrix as NpzCsrMatrix, readNpzCsr, writeNpzCsr } from "./io/npz.ts";
export { type NamedTensor, readSafetensors, writeSafetensors } from "./io/safetensors.ts";
export type { AskedFromSource } from "./links/asked-direction.ts";
export { complExDecoder } from "./links/decoders/compl-ex.ts";
export { cosineDecoder } from "./links/decoders/cosine.ts";
export { distMultDecoder } from "./links/decoders/dist-mult.ts";
export { dotDecoder } from "./links/decoders/dot.ts";
export type { DecoderShape, LinkDecoder } from "./links/decoders/link-decoder.ts";
export { type MlpDecoderOptions, mlpDecoder } from "./links/decoders/mlp.ts";
export { type RotatEOptions, rotatEDecoder } from "./links/decoders/rotat-e.ts";
export { type TransEOptions, transEDecoder } from "./links/decoders/trans-e.ts";
export { filteredFigures } from "./links/filtered-figures.ts";
export type { HeldOutNegatives } from "./links/held-out-negatives.ts";
export type { KnownPairs } from "./links/known-pairs.ts";
export { type LinkBatch, type LinkEpoch, linkBatches } from "./links/link-batches.ts";
export { type LinkPenalty, linksOf, type PenalisedLinks, withLinkPenalty } from "./links/link-penalty.ts";
export type { LinkSides } from "./links/link-sides.ts";
export { type LinkLearning, linkLoss } from "./links/link-task.ts";
export type { LinkTimes } from "./links/link-times.ts";
export { binaryCrossEntropy } from "./links/losses/binary-cross-entropy.ts";
export { bpr } from "./links/losses/bpr.ts";
export { infoNce } from "./links/losses/info-nce.ts";
export type { LinkLoss } from "./links/losses/link-loss.ts";
export { marginLoss } from "./links/losses/margin.ts";
export { evenWeights, type NegativeWeights, selfAdversarialWeights } from "./links/losses/negative-weights.ts";
export type { OneVsAllOptions } from "./links/losses/one-vs-all.ts";
export { softmaxLoss } from "./links/losses/softmax.ts";
export { meanRank } from "./links/mean-rank.ts";
export { bothEnds } from "./links/negatives/both-ends.ts";
export { tailsByDegree } from "./links/negatives/by-degree.ts";
export type { NegativeOptions } from "./links/negatives/draw-pairs.ts";
export { inBatchTails } from "./links/negatives/in-batch.ts";
export { jointTails } from "./links/negatives/joint.ts";
export { listedTails } from "./links/negatives/listed.ts";
export type { NegativeSampler, PositiveBatch } from "./links/negatives/negative-sampler.ts";
export { noNegatives } from "./links/negatives/none.ts";
export { type SharedNegatives, type SharedNodes, type SharedOptions, sharedTails } from "./links/negatives/shared.ts";
export { uniformTail } from "./links/negatives/uniform-tail.ts";
export { NodeGroups } from "./links/node-groups.ts";
export type { NodePairs } from "./links/node-pairs.ts";
export { type PairFigures, pairFigures, ranksAmong } from "./links/pair-figures.ts";
export {
  hitsAt,
  meanReciprocalRank,
  ndcgAt,
  type RanksBySource,
  ranksBySource,
  recallAt,
} from "./links/rank-figures.ts";
export { type LinkRanking, rankLinks } from "./links/rank-links.ts";
export { recommendationFigures } from "./links/recommendation-figures.ts";
export { type NodeRows, scorePairs } from "./links/score-pairs.ts";
export { type Candidates, candidatesAmong, type RowScoring } from "./links/score-rows.ts";
export {
  type HeldOutLinks,
  type LinkEdges,
  type LinkSplit,
  type LinkSplitOptions,
  splitLinks,
} from "./links/split-links.ts";
export { type NewLinkScoring, type TopLinks, topNewLinks } from "./links/top-new-links.ts";
export {
  type Activation,
  type AppnpModelOptions,
  type GatOptions,
  type GeneralOptions,
  type GinOptions,
  type LayerOptions,
  type Nn,
  nn,
  type ParametricLayer,
  type SageOptions,
  type SgcOptions,
} from "./nn/index.ts";
export type { BatchNormCut, ForwardContext, GnnModel, Layer, LayerInput, ModelGraph, ModelShape } from "./nn/model.ts";
export { crossEntropySum } from "./ops/cross-entropy.ts";
export { edgeSoftmax } from "./ops/edge-softmax.ts";
export { gatConv } from "./ops/gat-conv.ts";
export { gatherRows } from "./ops/gather-rows.ts";
export { gcnNorm } from "./ops/gcn-norm.ts";
export { linear } from "./ops/linear.ts";
export {
  type ApplyFunction,
  type EdgeRows,
  gsddmm,
  gspmm,
  type MessageFunction,
  type MessageInput,
  type ReduceFunction,
  type SddmmOp,
  type SpmmOp,
  updateAll,
} from "./ops/message-passing.ts";
export type { Reduce } from "./ops/reduce-edges.ts";
export { type RelationReduce, relationConv } from "./ops/relation-conv.ts";
export { sageConv } from "./ops/sage-conv.ts";
export { sigmoidCrossEntropySum } from "./ops/sigmoid-cross-entropy.ts";
export { spmmMean } from "./ops/spmm.ts";
export { spmmMax } from "./ops/spmm-max.ts";
export { type SumWeights, weightedSpmm } from "./ops/weighted-spmm.ts";
export { Adagrad, type AdagradOptions } from "./optim/adagrad.ts";
export { Adam, type AdamOptions, AdamW } from "./optim/adam.ts";
export { learningRateFactor } from "./optim/learning-rate.ts";
export type { GradientSlots, Optimizer } from "./optim/optimizer.ts";
export { Sgd, type SgdOptions } from "./optim/sgd.ts";
export { type LoadedParts, loadParts } from "./partition/load-parts.ts";
export { type PartWithHalo, partWithHalo } from "./partition/part-with-halo.ts";
export { PartitionBook } from "./partition/partition-book.ts";
export { type PartitionGraphOptions, partitionGraph } from "./partition/partition-graph.ts";
export * from "./ranks.ts";
export { type BlockSamplerOptions, createBlockSampler } from "./sampling/block-sampler.ts";
export { type EdgeBatch, EdgeLoader, type EdgeLoaderOptions, type EdgeMiniBatch } from "./sampling/edge-loader.ts";
export { fullBlock } from "./sampling/full-block.ts";
export { createHgSampler, type HgSamplerOptions } from "./sampling/hg-blocks.ts";
export { createLaborSampler, type LaborSamplerOptions } from "./sampling/labor-blocks.ts";
export { createFastGcnSampler, createLadiesSampler, type LayerWiseOptions } from "./sampling/layer-wise-blocks.ts";
export type { MiniBatch } from "./sampling/mini-batch.ts";
export { NodeLoader, type NodeLoaderOptions, type SeedBatch } from "./sampling/node-loader.ts";
export { createRelationSampler, type RelationSamplerOptions } from "./sampling/relation-blocks.ts";
export type { BatchKey, Sampler, SamplerContext } from "./sampling/sampler.ts";
export { epochSeeds, stepsPerEpoch } from "./sampling/seed-split.ts";
export { createTemporalSampler, type TemporalSamplerOptions } from "./sampling/temporal-blocks.ts";
export { createWeightedSampler, type WeightedSamplerOptions } from "./sampling/weighted-blocks.ts";
export { attachDegrees, inDegrees, withDegrees } from "./sampling/with-degrees.ts";
export { withoutEdges } from "./sampling/without-edges.ts";
export type { EmbeddingOptions } from "./spec/embedding-options.ts";
export * from "./spec/index.ts";
export { type ClassCounts, countNode, f1Of, noClassCounts } from "./tasks/class-counts.ts";
export type { Goal } from "./tasks/goal-task.ts";
export { argMax } from "./tasks/metrics.ts";
export { averagePrecision, type RankedScores, rankScores, rocAuc } from "./tasks/ranking-metrics.ts";
export { meanAbsoluteError, meanSquaredError } from "./tasks/regression-metrics.ts";
export { EarlyStopping } from "./train/early-stopping.ts";
export { evaluate, type SplitEvaluation } from "./train/evaluator.ts";
export type { FitOptions, FitResult } from "./train/fit-options.ts";
export type { ForwardPass, ForwardPassContext } from "./train/forward-pass.ts";
export { GradientBucket } from "./train/gradient-bucket.ts";
export type { InferredEdges } from "./train/infer-edges.ts";
export type { InferredGraphs } from "./train/infer-graphs.ts";
export { assignWeights, copyWeights } from "./train/model-weights.ts";
export { type TrainBatch, type TrainStepParts, trainStep } from "./train/train-step.ts";
export { Trainer } from "./train/trainer.ts";
export type { TrainerOptions, TrainerSetup } from "./train/trainer-setup.ts";
export { randomWalks, type WalkOptions, type WalksKey } from "./walks/random-walks.ts";
export { noiseSums } from "./walks/walk-noise.ts";
export { skipGramLoss, type WalkObjective } from "./walks/walk-objective.ts";
export { type WalkPairOptions, type WalkPairs, walkPairs } from "./walks/walk-pairs.ts";
export { type Fold, splitOfFold } from "./whole-graphs/folds.ts";
export { type GraphSet, type GraphSetRows, graphSetOf } from "./whole-graphs/graph-set.ts";
export type { GraphGoal, GraphLearning } from "./whole-graphs/graph-task.ts";
export { attentionReadout } from "./whole-graphs/readouts/attention.ts";
export { maxReadout } from "./whole-graphs/readouts/max.ts";
export { meanReadout } from "./whole-graphs/readouts/mean.ts";
export type { MakeReadout, Readout, ReadoutShape } from "./whole-graphs/readouts/readout.ts";
export { sumReadout } from "./whole-graphs/readouts/sum.ts";
export { readTuFiles, type TuData } from "./whole-graphs/tu-files.ts";
export type { DataModule, WorkerResult } from "./worker/protocol.ts";
export { trainInWorker, type WorkerTraining } from "./worker/train-in-worker.ts";
