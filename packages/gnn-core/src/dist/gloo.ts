import { loadAddon } from "../backends/native/addon.ts";
import type { CollectiveHandle } from "../backends/native/dist-addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Collective } from "./collective.ts";
import { giveUpAfter } from "./give-up-after.ts";
import { loopback } from "./loopback.ts";
import type { PortRange } from "./rank-context.ts";
import type { RendezvousStore } from "./rendezvous-store.ts";

export interface GlooOptions {
  readonly rank: number;
  readonly worldSize: number;
  /** Shared by the ranks; prefix it with job and attempt (`prefixedStore`), since keys are written once. */
  readonly store: RendezvousStore;
  /** Numeric address of the interface to listen on. Default 127.0.0.1: ranks of one host. */
  readonly address?: string;
  /** Ports to listen on, one for each other rank. Default: any that is free. */
  readonly ports?: PortRange | null;
  /** For connecting, and for each operation. Default 30 s. */
  readonly timeoutMs?: number;
}

/**
 * Connects this rank with the others over TCP; resolves when all are connected. No encryption: private networks only.
 *
 * After an error the collective is dead and every operation fails with the same error; connect again under a new
 * prefix.
 *
 * @throws GnnError RANK_TIMEOUT when a rank does not appear in time, RANK_LOST when one goes away meanwhile,
 * DEVICE_ISA_MISMATCH when this rank's kernels use another instruction set than rank 0's
 */
export async function connectGloo(options: GlooOptions): Promise<Collective> {
  const { rank, worldSize, store, address = "127.0.0.1", ports = null, timeoutMs = 30_000 } = options;
  if (worldSize === 1) return loopback();
  await requireSameIsa(rank, store, timeoutMs);
  const handle = loadAddon().createCollective(
    { rank, worldSize, address, timeoutMs, firstPort: ports?.first ?? 0, lastPort: ports?.last ?? 0 },
    async (op, key, bytes, limitMs) => {
      if (op === "get") return store.get(key, giveUpAfter(key, limitMs));
      await store.set(key, bytes);
      return undefined;
    },
  );
  const collective = new GlooCollective(handle, { rank, worldSize, timeoutMs });
  try {
    await native(() => loadAddon().collectiveConnect(handle));
  } catch (error) {
    await collective.close();
    throw error;
  }
  return collective;
}

/** A job gives the same bits only with the same kernels, and each instruction set has its own. */
async function requireSameIsa(rank: number, store: RendezvousStore, timeoutMs: number): Promise<void> {
  const key = "isa_0";
  const isa = loadAddon().isa();
  if (rank === 0) return store.set(key, new TextEncoder().encode(isa));
  const first = new TextDecoder().decode(await store.get(key, giveUpAfter(key, timeoutMs)));
  if (first === isa) return;
  throw new GnnError(
    "DEVICE_ISA_MISMATCH",
    `Rank ${rank} computes with ${isa}, rank 0 with ${first}. Put the ranks of a job on processors of one kind, or build the native library with -DGNN_PORTABLE=ON on all of them.`,
  );
}

class GlooCollective implements Collective {
  readonly rank: number;
  readonly worldSize: number;
  readonly timeoutMs: number;
  readonly #handle: CollectiveHandle;
  #closed: Promise<void> | null = null;

  constructor(
    handle: CollectiveHandle,
    { rank, worldSize, timeoutMs }: Omit<Collective, "allReduceSum" | "barrier" | "close">,
  ) {
    this.#handle = handle;
    this.rank = rank;
    this.worldSize = worldSize;
    this.timeoutMs = timeoutMs;
  }

  async allReduceSum(values: Float32Array): Promise<void> {
    this.#checkOpen();
    await native(() => loadAddon().collectiveAllReduceSum(this.#handle, values));
  }

  async barrier(): Promise<void> {
    this.#checkOpen();
    await native(() => loadAddon().collectiveBarrier(this.#handle));
  }

  /** Ends after the operations already issued: one that waits for a lost rank ends at its time-out. */
  async close(): Promise<void> {
    this.#closed ??= native(() => loadAddon().collectiveClose(this.#handle));
    await this.#closed;
  }

  #checkOpen(): void {
    if (this.#closed) throw new GnnError("RANK_LOST", `Rank ${this.rank}'s collective is closed.`);
  }
}
