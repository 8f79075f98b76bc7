import { randomBytes } from "node:crypto";
import {
  type Collective,
  connectGloo,
  connectRowService,
  loopback,
  type RankNetwork,
  type RowService,
} from "@hopwise/gnn-core/ranks";
import type { LauncherLink } from "./launcher-link.ts";
import type { StartMessage } from "./messages.ts";

/** Above any honest difference between ranks: the launcher notices deaths itself, in milliseconds. */
const collectiveTimeoutMs = 120_000;

const secretKey = "rows_secret";

/** Connects this rank with its peers, whose addresses it learns through the launcher. */
export function joinCollective(
  { rank, worldSize }: StartMessage,
  { store, address, ports }: RankNetwork,
): Promise<Collective> {
  if (worldSize === 1) return Promise.resolve(loopback());
  return connectGloo({ rank, worldSize, store, address, ports, timeoutMs: collectiveTimeoutMs });
}

/**
 * Starts this rank's row service and connects it with its peers'. Rank 0 makes up the secret that encrypts their
 * connections; the launchers hand it to the others, between hosts through Redis.
 */
export async function joinRows({ rank, worldSize }: StartMessage, network: RankNetwork): Promise<RowService> {
  const { store, address, ports: range } = network;
  if (rank === 0) await store.set(secretKey, randomBytes(32));
  const secret = await store.get(secretKey, AbortSignal.timeout(collectiveTimeoutMs));
  const ports: [number, number] = range ? [range.first, range.last] : [0, 0];
  return connectRowService({ rank, worldSize, store, secret, address, ports, timeoutMs: collectiveTimeoutMs });
}

/** Where this rank may listen, for the collective and its row service, and the store in which the ranks publish where they do. */
export function networkOf({ network }: StartMessage, link: LauncherLink): RankNetwork {
  const store = {
    set: (key: string, value: Uint8Array) => link.store(key, value),
    get: (key: string, signal: AbortSignal) => link.lookUp(key, signal),
  };
  return { store, address: network?.address ?? "127.0.0.1", ports: network?.ports ?? null };
}
