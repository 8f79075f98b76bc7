import type { ArtifactDir } from "../../../src/io/manifest.ts";
import type { StepEvent } from "../../../src/spec/index.ts";

/** The folder that a checkpoint event names, as the artifact a worker would make of it. */
export function artifactOf({ dir, info }: Extract<StepEvent, { type: "checkpoint" }>): ArtifactDir {
  return {
    dir,
    manifest: {
      version: 1,
      kind: "checkpoint",
      step: "train",
      stepVersion: 1,
      engine: "test",
      inputs: {},
      options: {},
      info,
      blobs: [],
      byteOrder: "little",
      digest: "0".repeat(64),
    },
  };
}
