import { fileURLToPath } from "node:url";
import { discoverComponents } from "../components/discover.ts";
import type { Registry } from "../components/registry.ts";

export { type CatalogEntry, catalogOf, type TaskFacts, taskFacts } from "../components/catalog.ts";
export type { ComponentBase, ComponentKind } from "../components/component.ts";
export {
  defineModel,
  type LinearAggregation,
  type ModelComponent,
  type RandomRows,
} from "../components/define-model.ts";
export { definePartitioner, type PartitionerComponent } from "../components/define-partitioner.ts";
export { defineReader, type ReaderComponent } from "../components/define-reader.ts";
export { defineSampler, type SamplerComponent } from "../components/define-sampler.ts";
export {
  defineStep,
  type HostRanks,
  type SamplerStepContext,
  type StepComponent,
  type StepContext,
} from "../components/define-step.ts";
export {
  type ContrastTaskComponent,
  comparesViews,
  defineTask,
  type EdgeRowTaskComponent,
  type EdgeTaskComponent,
  type GraphFolds,
  type GraphTaskComponent,
  type KnownEdges,
  type KnownGraphs,
  type KnownLinks,
  type LearnableGraph,
  learnsNothing,
  type NodeTaskComponent,
  predictsRows,
  type TaskChoice,
  type TaskComponent,
  type TaskMetric,
  type TaskObjection,
  type UntaughtTaskComponent,
  type WalkTaskComponent,
} from "../components/define-task.ts";
export { type Component, Registry } from "../components/registry.ts";
export { type GnnErrorCode, gnnErrorCodes } from "../errors/codes.ts";
export { type ErrorPlace, GnnError } from "../errors/gnn-error.ts";
export { type AskedColumn, edgeColumns, nodeColumns } from "../io/database/column-aliases.ts";
export type { DatabaseTable, ForeignKey, Quote, TableColumn } from "../io/database/database-tables.ts";
export { edgeFileName, endNames, freeNames, nodeFileName } from "../io/database/graph-file-names.ts";
export { type Reference, tableRoles } from "../io/database/table-roles.ts";
export { typeNames } from "../io/database/type-names.ts";
export {
  isDirected,
  type LearnableColumns,
  type LearnableGraphs,
  learnableColumns,
  learnableGraphs,
  learnedNodes,
  typeNamesOf,
} from "../io/dataset-labels.ts";
export {
  type DatasetSpec,
  type DatasetSpecInput,
  datasetSpec,
  type EdgesSection,
  type NodesSection,
} from "../io/dataset-spec.ts";
export { type FilesInfo, filesInfo } from "../io/files-info.ts";
export { edgeSidesFile, heldOutPairsFile } from "../io/ingest/held-out-files.ts";
export { type GraphInfo, graphInfo, type IngestReport, ingestReport } from "../io/ingest/ingest-report.ts";
export { idListsOf, type JoinedTableSection, namedColumns, type SplitFilesSection } from "../io/join-section.ts";
export { jsonExcess, type TextBounds } from "../io/json-excess.ts";
export { defaultReadingLimits, type Limit, type ReadingLimits } from "../io/limits/reading-limits.ts";
export { type ArtifactDir, type BlobRef, blobRef, type Manifest, manifest } from "../io/manifest.ts";
export { buildManifest, manifestDigest } from "../io/manifest-file.ts";
export { withFileBeside } from "../io/preview/file-beside.ts";
export { type PreviewInfo, previewInfo } from "../io/preview/preview-info.ts";
export { isLabelled } from "../io/relation-section.ts";
export { type AdoptOptions, adoptOptions, modelCardFile } from "./adopt-options.ts";
export { type ArtifactInfo, type ArtifactKind, artifactInfos } from "./artifact-infos.ts";
export { type CheckpointInfo, checkpointInfo } from "./checkpoint-info.ts";
export { engineVersion } from "./engine-version.ts";
export type { FeatureLayoutOfModel } from "./feature-layout-of-model.ts";
export { asTrained, type GraphReading, graphReading } from "./graph-reading.ts";
export { type InferredInfo, inferredInfo } from "./inferred-info.ts";
export { type LinkSplitSection, linkSplitOptions, mostNewNeighbors } from "./link-split.ts";
export { type LinksInfo, linksInfo } from "./links-info.ts";
export { type MapOptions, mapOptions } from "./map-options.ts";
export { type ModelInfo, modelInfo } from "./model-info.ts";
export { bucketOf, findInBucket, type NeighborList } from "./neighbor-lookup.ts";
export { type PartitionReport, type PartsInfo, partitionReport, partsInfo } from "./parts-info.ts";
export { jobPresets, presetCalled } from "./presets/catalogue.ts";
export { choosePreset, type PresetProposal, situationBounds } from "./presets/choose-preset.ts";
export { fitPreset } from "./presets/fit-preset.ts";
export { figuresOf, type GraphFigures, graphFigures } from "./presets/graph-figures.ts";
export type { JobPreset } from "./presets/job-preset.ts";
export { type SituationName, situations } from "./presets/situations.ts";
export { type AskedTask, askedTask, questionsOfLinks } from "./presets/task-situation.ts";
export { type ProjectionInfo, projectionInfo } from "./projection-info.ts";
export {
  type OfferedTask,
  offeredTasks,
  parseTask,
  type ResolvedTask,
  resolveTask,
  taskComponentOf,
} from "./resolve-task.ts";
export {
  type ExportColumns,
  type ExportsInfo,
  exportColumns,
  exportsInfo,
  type ReachedTypeInfo,
  type RecommendedInfo,
  type RemappedInfo,
  recommendedInfo,
  remappedInfo,
  type TableShape,
  tableShape,
} from "./result-info.ts";
export {
  type LearnedRowsInfo,
  learnedRows,
  type MatchedRowsInfo,
  matchedRowsInfo,
  type RowNames,
  rowNames,
  withoutRow,
} from "./row-names.ts";
export { frozenWeights, isNamedBy, type StartLayers, startLayers } from "./start-options.ts";
export {
  type ProcessUsage,
  processUsage,
  type StepBreakdown,
  type StepEvent,
  stepBreakdown,
  stepEvent,
} from "./step-event.ts";
export { type StructuralOptions, structuralDim } from "./structural-options.ts";
export { metricObjection, type SelectionMetric, selectionMetricOf, validationMetrics } from "./task-metrics.ts";
export { type TaskSection, taskSection } from "./task-section.ts";
export {
  componentChoice,
  featureOptions,
  featurePlacement,
  graphPlacement,
  isPlannedToItsEnd,
  numFolds,
  partitionStepOptions,
  randomSplit,
  remoteCache,
  type ScheduleOptions,
  splitOptions,
  trainOptions,
  trainStepOptions,
} from "./train-options.ts";
export type { TypesOfModel } from "./types-of-model.ts";
export { untaughtDefaults, untaughtObjection } from "./untaught.ts";
export { isAmongUploaded, type VectorOptions, type VectorsInfo, vectorOptions } from "./vector-options.ts";

const builtIn = fileURLToPath(new URL("../", import.meta.url));

/** The engine's own components, and those in the operator's folders. Imports no native code. */
export function loadRegistry(extraFolders: readonly string[] = []): Promise<Registry> {
  return discoverComponents([builtIn, ...extraFolders]);
}
