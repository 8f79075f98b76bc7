import { randomBytes } from "node:crypto";
import { isLeadRank } from "@hopwise/contracts";
import {
  type Collective,
  connectGloo,
  connectRowService,
  giveUpAfter,
  loopback,
  type RankNetwork,
  type RemoteSampler,
  type RowService,
  remoteSampler,
} from "@hopwise/gnn-core/ranks";
import type { LauncherLink } from "./launcher-link.ts";
import type { StartMessage } from "./messages.ts";

/** Above any honest difference between ranks: the launcher notices deaths itself, in milliseconds. */
const collectiveTimeoutMs = 120_000;

const secretKey = "secret";

/**
 * Where the members of one group may listen, the store in which they publish where they do, and what they alone know.
 */
export interface GroupNetwork extends RankNetwork {
  /**
   * 32 bytes that encrypt connections between members. Rank 0 makes them up; the launchers hand them to the others,
   * between hosts through Redis.
   */
  readonly secret: () => Promise<Uint8Array>;
}

/** One rank among those of the step. */
export interface RankPlace {
  readonly rank: number;
  readonly worldSize: number;
}

/** Connects this rank with its peers, whose addresses it learns through the launcher. */
export function joinCollective(
  { rank, worldSize }: RankPlace,
  { store, address, ports }: RankNetwork,
): Promise<Collective> {
  if (worldSize === 1) return Promise.resolve(loopback());
  return connectGloo({ rank, worldSize, store, address, ports, timeoutMs: collectiveTimeoutMs });
}

/** Starts this rank's row service and connects it with its peers'. */
export async function joinRows({ rank, worldSize }: RankPlace, network: GroupNetwork): Promise<RowService> {
  const { store, address } = network;
  const secret = await network.secret();
  const ports = portsOf(network);
  return connectRowService({ rank, worldSize, store, secret, address, ports, timeoutMs: collectiveTimeoutMs });
}

/** Connects a rank with the group's sampler processes. */
export async function joinSamplers(rank: number, samplers: number, network: GroupNetwork): Promise<RemoteSampler> {
  const secret = await network.secret();
  const endpoints = await Promise.all(
    Array.from({ length: samplers }, async (_, index) => {
      const key = samplerKey(index);
      return new TextDecoder().decode(await network.store.get(key, giveUpAfter(key, collectiveTimeoutMs)));
    }),
  );
  return remoteSampler(endpoints, { secret, rank, timeoutMs: collectiveTimeoutMs });
}

/** The rendezvous key under which a sampler process says where it listens. */
export function samplerKey(index: number): string {
  return `sampler_${index}`;
}

/** Ports as the library takes them; [0, 0] is any. */
export function portsOf({ ports }: RankNetwork): [first: number, last: number] {
  return ports ? [ports.first, ports.last] : [0, 0];
}

export function networkOf(
  { network, member }: Pick<StartMessage, "network" | "member">,
  link: LauncherLink,
): GroupNetwork {
  const store = {
    set: (key: string, value: Uint8Array) => link.store(key, value),
    get: (key: string, signal: AbortSignal) => link.lookUp(key, signal),
  };
  let secret: Promise<Uint8Array> | null = null;
  const shareSecret = async () => {
    if (isLeadRank(member)) await store.set(secretKey, randomBytes(32));
    return store.get(secretKey, giveUpAfter(secretKey, collectiveTimeoutMs));
  };
  return {
    store,
    address: network?.address ?? "127.0.0.1",
    ports: network?.ports ?? null,
    secret: () => (secret ??= shareSecret()),
  };
}
