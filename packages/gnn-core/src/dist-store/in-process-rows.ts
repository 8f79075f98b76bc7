import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { type RowCounters, type RowOpCode, rowOps } from "../backends/native/rows-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscPart, DrawnLists, ListDraw } from "../graph/csc-graph.ts";
import type { RowArray, RowDtype, RowSchema } from "../partition/row-schema.ts";
import { drawArguments, HostedRows } from "./hosted-rows.ts";
import type { RowService, RowSums } from "./row-service.ts";

/**
 * The row services of ranks that share one process; of one rank: standalone. The same contract as between processes,
 * answered at once.
 */
export function inProcessRowServices(worldSize: number): RowService[] {
  const group: InProcessRows[] = [];
  for (let rank = 0; rank < worldSize; rank++) group.push(new InProcessRows(rank, worldSize, group));
  return group;
}

const noCounters: RowCounters = {
  requestedRows: 0,
  localRows: 0,
  remoteRows: 0,
  remoteBytes: 0,
  remoteLists: 0,
  remoteEntries: 0,
  servedRows: 0,
  servedLists: 0,
  servedEntries: 0,
  servedBytes: 0,
};

class InProcessRows implements RowService {
  readonly rank: number;
  readonly worldSize: number;
  readonly #rows: HostedRows;
  readonly #group: readonly InProcessRows[];
  #counters = noCounters;
  #sequence = 0;
  #isClosed = false;

  constructor(rank: number, worldSize: number, group: readonly InProcessRows[]) {
    this.rank = rank;
    this.worldSize = worldSize;
    this.#rows = new HostedRows(rank, worldSize);
    this.#group = group;
  }

  host<D extends RowDtype>(name: string, schema: RowSchema<D>, values: RowArray<D> | null): void {
    this.#rows.host(name, schema, values);
  }

  async get<D extends RowDtype>(name: string, ids: Int32Array): Promise<RowArray<D>> {
    const out = this.#rows.newRows<D>(name, ids.length);
    await this.#call(rowOps.get, name, ids, out);
    return out;
  }

  async set(name: string, ids: Int32Array, rows: RowArray): Promise<void> {
    this.#rows.checkRows(name, ids.length, rows);
    await this.#call(rowOps.set, name, ids, rows);
  }

  async add(name: string, ids: Int32Array, rows: RowArray): Promise<void> {
    this.#rows.checkRows(name, ids.length, rows);
    await this.#call(rowOps.add, name, ids, rows);
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

  async draw(name: string, ids: Int32Array, draw: ListDraw): Promise<DrawnLists> {
    const stores = this.#stores();
    const [lists, counted] = await native(async () =>
      loadAddon().drawGroupLists(stores, this.rank, name, ...drawArguments(ids, draw)),
    );
    this.#counters = sumOf(this.#counters, counted);
    return lists;
  }

  counters(): RowCounters {
    return this.#counters;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  async #call(op: RowOpCode, name: string, ids: Int32Array, rows: RowArray): Promise<void> {
    const stores = this.#stores();
    const counted = await native(() =>
      loadAddon().callRowGroup(stores, this.rank, this.#sequence++, op, name, ids, rows),
    );
    this.#counters = sumOf(this.#counters, counted);
  }

  /** @throws GnnError RANK_LOST when a rank has closed its service */
  #stores() {
    const closed = this.#isClosed ? this : this.#group.find((rank) => rank.#isClosed);
    if (closed) throw new GnnError("RANK_LOST", `Rank ${closed.rank}'s row service is closed.`);
    return this.#group.map((rank) => rank.#rows.handle);
  }
}

function sumOf(a: RowCounters, b: RowCounters): RowCounters {
  return {
    requestedRows: a.requestedRows + b.requestedRows,
    localRows: a.localRows + b.localRows,
    remoteRows: a.remoteRows + b.remoteRows,
    remoteBytes: a.remoteBytes + b.remoteBytes,
    remoteLists: a.remoteLists + b.remoteLists,
    remoteEntries: a.remoteEntries + b.remoteEntries,
    servedRows: a.servedRows + b.servedRows,
    servedLists: a.servedLists + b.servedLists,
    servedEntries: a.servedEntries + b.servedEntries,
    servedBytes: a.servedBytes + b.servedBytes,
  };
}
