import { loopbackGroup } from "../../src/dist/loopback.ts";
import type { RendezvousStore } from "../../src/dist/rendezvous-store.ts";
import { DistStore } from "../../src/dist-store/dist-store.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import { connectRowService } from "../../src/dist-store/zeromq-rows.ts";

/** Stores of ranks that share this process. */
export function distRanks(worldSize: number, timeoutMs = 30_000): DistStore[] {
  return storesOf(inProcessRowServices(worldSize), timeoutMs);
}

/** Ranks whose rows travel over ZeroMQ; to be closed. */
export async function wiredRanks(worldSize: number, store: RendezvousStore): Promise<DistStore[]> {
  const ranks = Array.from({ length: worldSize }, (_, rank) => rank);
  return storesOf(await Promise.all(ranks.map((rank) => connectRowService({ rank, worldSize, store, secret: null }))));
}

/** One service for each rank */
export function storesOf(services: readonly RowService[], timeoutMs = 30_000): DistStore[] {
  const worldSize = services.length;
  return loopbackGroup(worldSize, timeoutMs).map((collective, rank) => {
    const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
    return new DistStore(context, services[rank]!);
  });
}

/** Runs the same program on every rank. */
export function onRanks<T>(stores: readonly DistStore[], program: (store: DistStore) => Promise<T>): Promise<T[]> {
  return Promise.all(stores.map(program));
}
