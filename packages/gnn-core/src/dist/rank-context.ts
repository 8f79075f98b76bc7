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
   * This rank's row service, connected with those of all ranks at the first call, which all ranks make alike; the same one
   * afterwards. Whoever made the context closes it. Left out: the ranks share no rows; a single rank needs none.
   */
  readonly connectRows?: () => Promise<RowService>;
}
