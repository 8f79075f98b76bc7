import { randomBytes } from "node:crypto";
import {
  type Collective,
  connectGloo,
  connectRowService,
  loopback,
  type RendezvousStore,
  type RowService,
} from "@hopwise/gnn-core/ranks";
import type { LauncherLink } from "./launcher-link.ts";
import type { StartMessage } from "./messages.ts";

/** Above any honest difference between ranks: the launcher notices deaths itself, in milliseconds. */
const collectiveTimeoutMs = 120_000;

const secretKey = "rows_secret";

/** Connects this rank with its peers, whose addresses it learns through the launcher. */
export function joinCollective({ rank, worldSize }: StartMessage, link: LauncherLink): Promise<Collective> {
  if (worldSize === 1) return Promise.resolve(loopback());
  return connectGloo({ rank, worldSize, store: rendezvousOf(link), timeoutMs: collectiveTimeoutMs });
}

/**
 * Starts this rank's row service and connects it with its peers'. Rank 0 makes up the secret that encrypts their
 * connections; the launcher, which starts them all, hands it to the others and to nobody else.
 */
export async function joinRows({ rank, worldSize }: StartMessage, link: LauncherLink): Promise<RowService> {
  const store = rendezvousOf(link);
  if (rank === 0) await store.set(secretKey, randomBytes(32));
  const secret = await store.get(secretKey, AbortSignal.timeout(collectiveTimeoutMs));
  return connectRowService({ rank, worldSize, store, secret, timeoutMs: collectiveTimeoutMs });
}

function rendezvousOf(link: LauncherLink): RendezvousStore {
  return {
    set: (key, value) => link.store(key, value),
    get: (key, signal) => link.lookUp(key, signal),
  };
}
