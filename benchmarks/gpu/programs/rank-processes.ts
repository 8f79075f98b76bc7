import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveRendezvous } from "../../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { device, isSmall } from "./arguments.ts";
import { type RankResult, type RankTask, trainAsRank } from "./rank-of-two.ts";

type Given = Pick<RankTask, "rank" | "worldSize" | "scratchDir" | "features">;

const variable = "HOPWISE_GPU_CHECK_RANK";

/** In a process that `trained` has started: trains as its rank. @returns whether this is such a process */
export async function isRankProcess(): Promise<boolean> {
  const given = process.env[variable];
  if (given === undefined) return false;
  const result = await trainAsRank({ ...(JSON.parse(given) as Given), device, isSmall });
  process.send?.({ result }, () => process.disconnect());
  return true;
}

/** Trains with so many ranks, each a process that runs this program anew. @returns what came of each */
export async function trained(worldSize: number, features: RankTask["features"] = "auto"): Promise<RankResult[]> {
  const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-ranks-"));
  const ranks = Array.from({ length: worldSize }, (_, rank) => {
    const env = {
      ...process.env,
      [variable]: JSON.stringify({ rank, worldSize, scratchDir, features } satisfies Given),
      NCCL_MULTI_RANK_GPU_ENABLE: "1", // NCCL 2.30 takes two ranks on one GPU with it; older ones refuse them
    };
    return fork(process.argv[1] as string, process.argv.slice(2), {
      env,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
  });
  serveRendezvous(ranks);
  try {
    return await Promise.all(
      ranks.map(
        (rank, i) =>
          new Promise<RankResult>((resolve, reject) => {
            rank.on("message", (message: { result?: RankResult }) => message.result && resolve(message.result));
            rank.on("exit", (code, signal) => reject(new Error(`Rank ${i} ended: ${signal ?? code}.`)));
          }),
      ),
    );
  } finally {
    for (const rank of ranks) rank.kill("SIGKILL");
    await rm(scratchDir, { recursive: true });
  }
}
