import type { Sampler } from "../sampler.ts";
import { SamplerConnection } from "./sampler-connection.ts";

export interface RemoteSamplerOptions {
  /** The secret of the sampler processes; null when theirs is null too */
  readonly secret: Uint8Array | null;
  /** Which rank asks. Default 0 */
  readonly rank?: number;
  /** For connecting, and for each batch. Default 30 s */
  readonly timeoutMs?: number;
}

export interface RemoteSampler extends Sampler {
  readonly concurrency: number;
  /** Tells the sampler processes that this rank is done; ends when they have heard it. */
  close(): Promise<void>;
}

/** Batches asked of one process: one is drawn while the one before it is on its way. */
const batchesInFlight = 2;

/**
 * A sampler whose batches are drawn by sampler processes (`serveSampler`), on this host or others; DGL's
 * `SamplerReceiver`. Each batch goes to the process with the fewest in hand. Draws are functions of (seed, epoch, step,
 * hop, node), and
 * `NodeLoader` keeps the order of its batches: results have the same bits with any number of processes, or none.
 *
 *   const sampler = await remoteSampler(["10.0.0.2:41003", "10.0.0.3:41000"], { secret });
 *   for await (const batch of new NodeLoader({ sampler, features, labels, batches })) step(batch);
 *
 * When one process is lost all later batches fail: start the processes anew and connect again.
 *
 * @param endpoints `address:port` of each process, at least one
 * @throws GnnError RANK_TIMEOUT when a process does not answer in time, RANK_LOST when it is gone, refuses (another
 * secret) or speaks another protocol, here and from `sample`; SPEC_INVALID for what is no endpoint or no secret
 */
export async function remoteSampler(
  endpoints: readonly string[],
  { secret, rank = 0, timeoutMs = 30_000 }: RemoteSamplerOptions,
): Promise<RemoteSampler> {
  const processes = endpoints.map(
    (endpoint, index) => new SamplerConnection({ endpoint, index, rank, secret, timeoutMs }),
  );
  try {
    await Promise.all(processes.map((process) => process.connected));
  } catch (error) {
    for (const process of processes) process.destroy();
    throw error;
  }
  // The process that was asked last comes last among those with equally many in hand.
  const byTurn = [...processes];
  return {
    concurrency: batchesInFlight * processes.length,
    async sample(seeds, key, signal) {
      signal?.throwIfAborted();
      for (const process of processes) process.throwIfLost();
      const next = byTurn.reduce((least, process) => (process.numPending < least.numPending ? process : least));
      byTurn.push(...byTurn.splice(byTurn.indexOf(next), 1));
      return next.draw({ seeds, ...key }, signal);
    },
    async close() {
      await Promise.all(processes.map((process) => process.finish()));
    },
  };
}
