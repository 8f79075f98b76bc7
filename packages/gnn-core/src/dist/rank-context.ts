import type { Collective } from "./collective.ts";

/** Who this process is; passed, never global. */
export interface RankContext {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  readonly device: "cpu" | `cuda:${number}`;
  readonly threads: number;
  readonly collective: Collective;
}
