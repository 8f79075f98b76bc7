import type { ArtifactDir } from "../io/manifest.ts";
import type { StepProgress } from "../io/step-progress.ts";

/** What an export reads and where it writes. */
export interface ExportSources {
  readonly graph: ArtifactDir;
  readonly remapped: ArtifactDir;
  readonly outDir: string;
  readonly progress: StepProgress;
}
