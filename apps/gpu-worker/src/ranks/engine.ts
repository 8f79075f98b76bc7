import { type Collective, connectGloo, loopback } from "@hopwise/gnn-core/ranks";
import type { LauncherLink } from "./launcher-link.ts";
import type { StartMessage } from "./messages.ts";

/** Above any honest difference between ranks: the launcher notices deaths itself, in milliseconds. */
const collectiveTimeoutMs = 120_000;

/** Connects this rank with its peers, whose addresses it learns through the launcher. */
export function joinCollective({ rank, worldSize }: StartMessage, link: LauncherLink): Promise<Collective> {
  if (worldSize === 1) return Promise.resolve(loopback());
  const store = {
    set: (key: string, value: Uint8Array) => link.store(key, value),
    get: (key: string, signal: AbortSignal) => link.lookUp(key, signal),
  };
  return connectGloo({ rank, worldSize, store, timeoutMs: collectiveTimeoutMs });
}
