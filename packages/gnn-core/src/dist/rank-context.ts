import type { RowService } from "../dist-store/row-service.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { Collective } from "./collective.ts";
import type { RendezvousStore } from "./rendezvous-store.ts";

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Where a rank may listen, and the store in which the ranks of this attempt publish where they do. */
export interface RankNetwork {
  /** Numeric, reachable by every other rank; never that of all interfaces. */
  readonly address: string;
  /** Ports it may listen on; null: any. */
  readonly ports: PortRange | null;
  readonly store: RendezvousStore;
}

/** Who this process is; passed, never global. */
export interface RankContext {
  readonly rank: number;
  readonly worldSize: number;
  readonly localRank: number;
  /** Hosts that share the ranks. Default 1: every rank sees the same files. */
  readonly numHosts?: number;
  readonly device: "cpu" | `cuda:${number}`;
  readonly threads: number;
  readonly collective: Collective;
  /**
   * This rank's row service, connected with those of all ranks at the first call, which all ranks make alike; the same
   * one afterwards. Whoever made the context closes it. Left out: the ranks share no rows; a single rank needs none.
   */
  readonly connectRows?: () => Promise<RowService>;
  /**
   * Draws this rank's training batches in the step's sampler processes, which it connects with at the first call; the
   * same one afterwards. Whoever made the context closes it. Left out: there are none, the rank draws itself.
   */
  readonly connectSampler?: () => Promise<Sampler>;
}
