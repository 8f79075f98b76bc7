import { loopbackGroup } from "../../src/dist/loopback.ts";
import { DistStore } from "../../src/dist-store/dist-store.ts";
import { inProcessRowServices } from "../../src/dist-store/in-process-rows.ts";

/** Stores of ranks that share this process. */
export function distRanks(worldSize: number, timeoutMs = 30_000): DistStore[] {
  const services = inProcessRowServices(worldSize);
  return loopbackGroup(worldSize, timeoutMs).map((collective, rank) => {
    const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
    return new DistStore(context, services[rank]!);
  });
}

/** Runs the same program on every rank. */
export function onRanks<T>(stores: readonly DistStore[], program: (store: DistStore) => Promise<T>): Promise<T[]> {
  return Promise.all(stores.map(program));
}
