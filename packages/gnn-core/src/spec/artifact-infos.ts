import type { z } from "zod";
import { projectionInfo } from "../export/projection-info.ts";
import { exportsInfo, remappedInfo } from "../export/result-info.ts";
import { inferredInfo } from "../infer/inferred-info.ts";
import { filesInfo } from "../io/files-info.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { previewInfo } from "../io/preview/preview-info.ts";
import { partsInfo } from "../partition/parts-info.ts";
import { checkpointInfo } from "../train/checkpoint-info.ts";
import { modelInfo } from "../train/model-info.ts";

/** What the manifest of each kind of artifact says of its content; an operator's own steps may write other kinds. */
export const artifactInfos = {
  files: filesInfo,
  preview: previewInfo,
  graph: graphInfo,
  parts: partsInfo,
  checkpoint: checkpointInfo,
  model: modelInfo,
  inferred: inferredInfo,
  remapped: remappedInfo,
  projection: projectionInfo,
  exports: exportsInfo,
} as const satisfies Record<string, z.ZodType>;

/** A kind of artifact that the engine and the service write themselves. */
export type ArtifactKind = keyof typeof artifactInfos;
export type ArtifactInfo<K extends ArtifactKind> = z.infer<(typeof artifactInfos)[K]>;
