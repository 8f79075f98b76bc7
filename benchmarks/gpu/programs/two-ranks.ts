/**
 * Two ranks, processes of their own, on one device: their losses are one rank's, their weights equal bit by bit. A
 * service gives each rank a device of its own; here is one, so they share it.
 */
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveRendezvous } from "../../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import { device, isSmall, rounded, tell } from "./arguments.ts";
import { type RankResult, trainAsRank } from "./rank-of-two.ts";

const rankOf = process.env.HOPWISE_GPU_CHECK_RANK;
if (rankOf !== undefined) {
  const [rank, worldSize, scratchDir] = JSON.parse(rankOf) as [number, number, string];
  const result = await trainAsRank({ rank, worldSize, scratchDir, device, isSmall });
  process.send?.({ result }, () => process.disconnect());
} else {
  const [one] = await trained(1);
  const [first, second] = await trained(2);
  const apart = (first as RankResult).losses.map((loss, i) =>
    Math.abs(loss / ((one as RankResult).losses[i] as number) - 1),
  );
  const isEqual = JSON.stringify(first?.weights) === JSON.stringify(second?.weights);
  tell({
    epochs: apart.length,
    largestDifference: rounded(Math.max(...apart)),
    areWeightsEqual: isEqual,
    reducedBy: first?.reducedBy,
  });
  process.exitCode = isEqual && apart.length > 0 && Math.max(...apart) < 1e-5 ? 0 : 1;
}

async function trained(worldSize: number): Promise<RankResult[]> {
  const scratchDir = await mkdtemp(join(tmpdir(), "hopwise-ranks-"));
  const ranks = Array.from({ length: worldSize }, (_, rank) => {
    const env = {
      ...process.env,
      HOPWISE_GPU_CHECK_RANK: JSON.stringify([rank, worldSize, scratchDir]),
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
