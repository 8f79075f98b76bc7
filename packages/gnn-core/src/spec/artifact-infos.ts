import type { z } from "zod";
import { filesInfo } from "../io/files-info.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { previewInfo } from "../io/preview/preview-info.ts";
import { checkpointInfo } from "./checkpoint-info.ts";
import { splitEdgesInfo } from "./edge-rows-options.ts";
import { inferredInfo } from "./inferred-info.ts";
import { linksInfo } from "./links-info.ts";
import { modelInfo } from "./model-info.ts";
import { partsInfo } from "./parts-info.ts";
import { projectionInfo } from "./projection-info.ts";
import { edgePredictionsInfo, exportsInfo, recommendedInfo, remappedInfo } from "./result-info.ts";
import { matchedRowsInfo } from "./row-names.ts";
import { vectorsInfo } from "./vector-options.ts";

/** What the manifest of each kind of artifact says of its content; an operator's own steps may write other kinds. */
export const artifactInfos = {
  files: filesInfo,
  preview: previewInfo,
  graph: graphInfo,
  links: linksInfo,
  edgeRows: splitEdgesInfo,
  parts: partsInfo,
  checkpoint: checkpointInfo,
  model: modelInfo,
  vectors: vectorsInfo,
  matchedRows: matchedRowsInfo,
  inferred: inferredInfo,
  remapped: remappedInfo,
  recommended: recommendedInfo,
  edgePredictions: edgePredictionsInfo,
  projection: projectionInfo,
  exports: exportsInfo,
} as const satisfies Record<string, z.ZodType>;

/** A kind of artifact that the engine and the service write themselves. */
export type ArtifactKind = keyof typeof artifactInfos;
export type ArtifactInfo<K extends ArtifactKind> = z.infer<(typeof artifactInfos)[K]>;
