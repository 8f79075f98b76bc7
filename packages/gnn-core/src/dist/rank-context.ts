import type { RowService } from "../dist-store/row-service.ts";
import type { Collective } from "./collective.ts";

/** Who this process is; passed, never global. */
export interface RankContext {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  readonly device: "cpu" | `cuda:${number}`;
  readonly threads: number;
  readonly collective: Collective;
  /**
   * Connects the row services of all ranks, for what keeps rows with them. All ranks call it alike, once; whoever made the
   * context closes the service. Left out: ranks of a context without it share no rows; a single rank needs none.
   */
  readonly connectRows?: () => Promise<RowService>;
}
