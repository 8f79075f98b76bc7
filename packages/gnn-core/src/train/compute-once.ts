import { setTimeout as delay } from "node:timers/promises";
import type { RankContext } from "../dist/rank-context.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { SharedRows } from "./shared-rows.ts";

/** Computes int32 values on rank 0 and gives them to all ranks of the host, in memory that they share. */
export type ComputeOnce = (name: string, length: number, compute: () => Promise<Int32Array>) => Promise<Int32Array>;

const [working, done, failed] = [0, 1, 2];
/** Ranks that wait hear from rank 0 more often than any collective times out. */
const signOfLifeMs = 1000;

export function computeOnceOf({ rank, collective }: RankContext, sharedRows: SharedRows): ComputeOnce {
  return async (name, length, compute) => {
    const floats = sharedRows(name, length);
    const values = new Int32Array(floats.buffer, floats.byteOffset, length);
    let [state, cause]: [number, unknown] = [working, null];
    const work = async () => {
      try {
        values.set(await compute());
        state = done;
      } catch (error) {
        [state, cause] = [failed, error];
      }
    };
    const running = rank === 0 ? work() : null;
    for (;;) {
      if (running) await Promise.race([running, delay(signOfLifeMs)]);
      const told = Float32Array.of(state);
      await collective.allReduceSum(told);
      if (told[0] === done) return values;
      if (told[0] === failed) throw cause ?? new GnnError("RANK_LOST", `Rank 0 could not compute the ${name}.`);
    }
  };
}
