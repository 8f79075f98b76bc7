import { setTimeout as delay } from "node:timers/promises";
import { GnnError } from "../errors/gnn-error.ts";
import type { RankContext } from "./rank-context.ts";
import { shareRows } from "./share-rows.ts";
import type { SharedRows } from "./shared-rows.ts";

/** Computes int32 values on rank 0 and gives them to all ranks of the host, in memory that they share. */
export type ComputeOnce = (name: string, length: number, compute: () => Promise<Int32Array>) => Promise<Int32Array>;

const working = 0;
const done = 1;
const failed = 2;
/** Ranks that wait hear from rank 0 more often than any collective times out. */
const signOfLifeMs = 1000;

export function computeOnceOf(context: RankContext, sharedRows: SharedRows): ComputeOnce {
  const { rank, collective } = context;
  return async (name, length, compute) => {
    const floats = sharedRows(name, length);
    const values = new Int32Array(floats.buffer, floats.byteOffset, length);
    let [state, cause]: [number, unknown] = [working, null];
    const work = async () => {
      try {
        values.set(await compute());
        state = done;
      } catch (error) {
        state = failed;
        cause = error;
      }
    };
    const running = rank === 0 ? work() : null;
    for (;;) {
      if (running) await Promise.race([running, delay(signOfLifeMs)]);
      const told = Float32Array.of(state);
      await collective.allReduceSum(told);
      if (told[0] === done) {
        await shareRows(context, floats, { first: 0, count: rank === 0 ? length : 0 });
        return values;
      }
      if (told[0] === failed) throw cause ?? new GnnError("RANK_LOST", `Rank 0 could not compute the ${name}.`);
    }
  };
}
