import { loadAddon } from "../backends/native/addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { type RowCounters, type RowOpCode, type RowServiceHandle, rowOps } from "../backends/native/rows-addon.ts";
import { giveUpAfter } from "../dist/give-up-after.ts";
import type { RendezvousStore } from "../dist/rendezvous-store.ts";
import type { CscPart, DrawnLists, ListDraw } from "../graph/csc-graph.ts";
import type { RowArray, RowDtype, RowSchema } from "../partition/row-schema.ts";
import { drawArguments, HostedRows } from "./hosted-rows.ts";
import type { RowCallOptions, RowService, RowSums } from "./row-service.ts";

export interface RowServiceOptions {
  readonly rank: number;
  readonly worldSize: number;
  /** Shared by the ranks; prefix it with job and attempt (`prefixedStore`), since keys are written once. */
  readonly store: RendezvousStore;
  /**
   * 32 random bytes that the ranks of one job share and nobody else knows: messages are encrypted with them (TLS 1.3)
   * and others are turned away. Null: neither, allowed on a loopback address only.
   */
  readonly secret: Uint8Array | null;
  /** Numeric address of the interface to listen on, never that of all. Default 127.0.0.1: ranks of one host. */
  readonly address?: string;
  /** Listens on the first free port from the first to the last. Default: any free port. */
  readonly ports?: readonly [first: number, last: number];
  /** For connecting, and the deadline of calls that name none. Default 30 s. */
  readonly timeoutMs?: number;
}

// A service that only serves is referenced by nobody; collected, it would close.
const open = new Set<RowService>();

/**
 * Starts this rank's row service and connects it with the others over ZeroMQ; resolves when all are connected. Rows
 * are served and fetched by two native threads, never by the JavaScript one.
 *
 * A rank whose process ends, or that answers no heartbeat for 10 s, is lost: calls that wait for it fail, and so do
 * later ones. Build the services anew under a new prefix then.
 *
 * @throws GnnError RANK_TIMEOUT when a rank does not appear in time, RANK_LOST when one refuses (another secret) or no
 * port is free, SPEC_INVALID for an address of all interfaces or a secret of another length, DEPENDENCY_MISSING when
 * OpenSSL can set up no TLS 1.3
 */
export async function connectRowService(options: RowServiceOptions): Promise<RowService> {
  const { rank, worldSize, store, secret, address = "127.0.0.1", ports = [0, 0], timeoutMs = 30_000 } = options;
  const rows = new HostedRows(rank, worldSize);
  const [firstPort, lastPort] = ports;
  const [handle, endpoint] = nativeSync(() =>
    loadAddon().createRowService(rows.handle, { address, firstPort, lastPort, timeoutMs }, secret ?? new Uint8Array(0)),
  );
  const service = new ZeroMqRows(rank, worldSize, rows, handle, timeoutMs);
  try {
    await store.set(`rows_${rank}`, new TextEncoder().encode(endpoint));
    const endpoints = await Promise.all(
      Array.from({ length: worldSize }, async (_, other) => {
        if (other === rank) return endpoint;
        const key = `rows_${other}`;
        return new TextDecoder().decode(await store.get(key, giveUpAfter(key, timeoutMs)));
      }),
    );
    await native(() => loadAddon().connectRowService(handle, endpoints));
  } catch (error) {
    await service.close();
    throw error;
  }
  open.add(service);
  return service;
}

class ZeroMqRows implements RowService {
  readonly rank: number;
  readonly worldSize: number;
  readonly #rows: HostedRows;
  readonly #handle: RowServiceHandle;
  readonly #timeoutMs: number;

  constructor(rank: number, worldSize: number, rows: HostedRows, handle: RowServiceHandle, timeoutMs: number) {
    this.rank = rank;
    this.worldSize = worldSize;
    this.#rows = rows;
    this.#handle = handle;
    this.#timeoutMs = timeoutMs;
  }

  host<D extends RowDtype>(name: string, schema: RowSchema<D>, values: RowArray<D> | null): void {
    this.#rows.host(name, schema, values);
  }

  async get<D extends RowDtype>(name: string, ids: Int32Array, options?: RowCallOptions): Promise<RowArray<D>> {
    const out = this.#rows.newRows<D>(name, ids.length);
    await this.#call(rowOps.get, name, ids, out, options);
    return out;
  }

  async set(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void> {
    this.#rows.checkRows(name, ids.length, rows);
    await this.#call(rowOps.set, name, ids, rows, options);
  }

  async add(name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void> {
    this.#rows.checkRows(name, ids.length, rows);
    await this.#call(rowOps.add, name, ids, rows, options);
  }

  applyWrites(name: string): void {
    this.#rows.applyWrites(name);
  }

  takeSums(name: string): RowSums {
    return this.#rows.takeSums(name);
  }

  hostLists(name: string, offsets: readonly number[], parts: readonly CscPart[]): void {
    this.#rows.hostLists(name, offsets, parts);
  }

  draw(name: string, ids: Int32Array, draw: ListDraw, options?: RowCallOptions): Promise<DrawnLists> {
    const timeoutMs = options?.timeoutMs ?? this.#timeoutMs;
    return native(() =>
      loadAddon().drawServiceLists(this.#handle, this.#rows.handle, timeoutMs, name, ...drawArguments(ids, draw)),
    );
  }

  counters(): RowCounters {
    return loadAddon().rowServiceCounters(this.#handle);
  }

  close(): Promise<void> {
    open.delete(this);
    return native(() => loadAddon().closeRowService(this.#handle));
  }

  #call(op: RowOpCode, name: string, ids: Int32Array, rows: RowArray, options?: RowCallOptions): Promise<void> {
    const timeoutMs = options?.timeoutMs ?? this.#timeoutMs;
    return native(() => loadAddon().callRowService(this.#handle, this.#rows.handle, timeoutMs, op, name, ids, rows));
  }
}
