import type { Server, Socket } from "node:net";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Sampler } from "../sampler.ts";
import { DrawQueue } from "./draw-queue.ts";
import { RankConnection } from "./rank-connection.ts";
import { listen } from "./sampler-sockets.ts";

export interface SamplerServerOptions {
  /** Draws the batches; of the graph, options and seed that the ranks train with */
  readonly sampler: Sampler;
  /**
   * 32 random bytes that the ranks and sampler processes of one job share and nobody else knows: connections are
   * encrypted with them (TLS with a pre-shared key) and others are turned away. Null: neither, allowed on a loopback
   * address only.
   */
  readonly secret: Uint8Array | null;
  /** Numeric address of the interface to listen on, never that of all. Default 127.0.0.1: ranks of one host. */
  readonly address?: string;
  /** Listens on the first free port from the first to the last. Default: any free port. */
  readonly ports?: readonly [first: number, last: number];
  /** Batches drawn at a time, each by a thread of libuv's pool (`UV_THREADPOOL_SIZE`). Default 1 */
  readonly threads?: number;
}

export interface SamplerServer {
  /** Where ranks find it, as `address:port` */
  readonly endpoint: string;
  /**
   * Resolves when so many ranks have said that they are done.
   *
   * @throws GnnError RANK_LOST when a rank leaves without a word
   */
  served(numRanks: number): Promise<void>;
  /** Ends all connections; ranks that still wait for blocks hear RANK_LOST. */
  close(): Promise<void>;
}

/**
 * A sampler process: draws batches for ranks of this host or others, in place of their own threads (DGL's
 * `SamplerSender`). Draws are functions of (seed, epoch, step, hop, node), so it does not matter which process draws
 * which batch.
 *
 *   const { endpoint } = await serveSampler({ sampler: createBlockSampler({ graph, fanouts, replace, seed }), secret
 * });
 *
 * @throws GnnError SPEC_INVALID for a sampler that plans its epochs (ClusterGCN), an address of all interfaces, one
 * beyond this host without a secret, or a secret of another length; RANK_LOST when no port is free
 */
export async function serveSampler(options: SamplerServerOptions): Promise<SamplerServer> {
  const { sampler, secret, address = "127.0.0.1", ports = [0, 0], threads = 1 } = options;
  if (sampler.epochSeeds) throw planned();
  const ranks = new ConnectedRanks(sampler, threads);
  const { server, endpoint } = await listen({ address, ports }, secret, (socket) => ranks.add(socket));
  return {
    endpoint,
    served: (numRanks) => ranks.served(numRanks),
    close: () => {
      ranks.close();
      return closed(server);
    },
  };
}

function planned(): GnnError {
  const pointer = "/resources/samplers";
  const message = `${pointer}: this sampler plans whole epochs on the ranks, which no other process knows of; use "samplers": 0, or another sampler.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** The ranks that a sampler process draws for. */
class ConnectedRanks {
  readonly #sampler: Sampler;
  readonly #queue: DrawQueue;
  readonly #open = new Set<RankConnection>();
  readonly #waiting = new Set<() => void>();
  #numDone = 0;
  #lost: GnnError | null = null;

  constructor(sampler: Sampler, threads: number) {
    this.#sampler = sampler;
    this.#queue = new DrawQueue(threads);
  }

  add(socket: Socket): void {
    const connection = new RankConnection(socket, this.#sampler, this.#queue, (end) => {
      this.#open.delete(connection);
      if (end.type === "done") this.#numDone += 1;
      if (end.type === "lost") this.#lost ??= end.error;
      for (const look of this.#waiting) look();
    });
    this.#open.add(connection);
  }

  served(numRanks: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this.#lost) reject(this.#lost);
        else if (this.#numDone >= numRanks) resolve();
        else return;
        this.#waiting.delete(look);
      };
      this.#waiting.add(look);
      look();
    });
  }

  close(): void {
    for (const connection of this.#open) connection.close();
  }
}
