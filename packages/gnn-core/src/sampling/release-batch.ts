import { StoredRows } from "../features/stored-rows.ts";
import { releaseBlocks } from "../graph/release-blocks.ts";
import type { MiniBatch } from "./mini-batch.ts";

/** Gives the memory of a batch's blocks and feature rows back at once. Nobody may read them afterwards. */
export function releaseBatch({ blocks, seeds, features }: Pick<MiniBatch, "blocks" | "seeds" | "features">): void {
  releaseBlocks(blocks, seeds);
  if (features instanceof StoredRows) features.release();
}
