import { usableCores } from "../host/usable.ts";
import { loopback } from "./loopback.ts";
import type { RankContext } from "./rank-context.ts";

/** The only rank of a job: this process, with every core it may use unless told otherwise. */
export function soloRank(threads: number = usableCores()): RankContext {
  return {
    rank: 0,
    worldSize: 1,
    localRank: 0,
    device: "cpu",
    threads,
    collective: loopback(),
  };
}
