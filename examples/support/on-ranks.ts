import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connectGloo, connectRowService, DistStore, parentRendezvous, serveRendezvous } from "@hopwise/gnn-core";

/**
 * Runs the program's part of an example on as many ranks as its first argument says: one of them in this process, more
 * in processes of their own, which find each other through this one and serve each other's rows.
 */
export async function onRanks(program: (store: DistStore) => Promise<void>): Promise<void> {
  const [worldSize = "1", ofRank] = process.argv.slice(2);
  if (ofRank !== undefined) await asRank(program, Number(worldSize), Number(ofRank));
  else if (Number(worldSize) === 1) await program(DistStore.standalone());
  else await startRanks(Number(worldSize));
}

async function startRanks(worldSize: number): Promise<void> {
  const secret = randomBytes(32).toString("hex");
  const ranks = Array.from({ length: worldSize }, (_, rank) =>
    fork(process.argv[1] as string, [String(worldSize), String(rank)], {
      // The environment, unlike arguments, is the user's own to read.
      env: { ...process.env, ROWS_SECRET: secret },
    }),
  );
  serveRendezvous(ranks);
  const codes = await Promise.all(ranks.map(async (rank) => (await once(rank, "exit"))[0] as number));
  if (codes.some((code) => code !== 0)) process.exitCode = 1;
}

async function asRank(program: (store: DistStore) => Promise<void>, worldSize: number, rank: number): Promise<void> {
  const secret = Buffer.from(process.env["ROWS_SECRET"] ?? "", "hex");
  const store = parentRendezvous();
  const collective = await connectGloo({ rank, worldSize, store });
  const rows = await connectRowService({ rank, worldSize, store, secret });
  await program(new DistStore({ rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective }, rows));
  await collective.close();
  process.disconnect();
}
