import type { CscPart, DrawnLists } from "../../graph/csc-graph.ts";

declare const store: unique symbol;
declare const service: unique symbol;
/** The rows that one rank owns, by table name. Hosted arrays live as long as it does. */
export type RowStoreHandle = { readonly [store]: "rowStore" };
/** A row store and the two threads that talk with the other ranks. */
export type RowServiceHandle = { readonly [service]: "rowService" };

export const rowOps = { get: 0, set: 1, add: 2 } as const;
export type RowOpCode = (typeof rowOps)[keyof typeof rowOps];

export interface RowCounters {
  /** As callers named them */
  readonly requestedRows: number;
  /** Distinct rows of each call that this rank owns */
  readonly localRows: number;
  /** Distinct rows of each call that other ranks own */
  readonly remoteRows: number;
  /** Bytes of rows and ids that went to or came from other ranks on this rank's calls, without framing */
  readonly remoteBytes: number;
  /**
   * Distinct lists of each call that other ranks own, and what was drawn from them; their bytes are in `remoteBytes`
   */
  readonly remoteLists: number;
  readonly remoteEntries: number;
  readonly servedRows: number;
  readonly servedLists: number;
  readonly servedEntries: number;
  readonly servedBytes: number;
}

export type DrawArguments = readonly [
  ids: Int32Array,
  fanout: number,
  replace: boolean,
  relation: number,
  hop: number,
  seed: number,
  epoch: number,
  step: number,
];

export interface RowServiceOptions {
  readonly address: string;
  readonly firstPort: number;
  readonly lastPort: number;
  readonly timeoutMs: number;
}

/**
 * Native functions of the row service (native/binding/row_store_binding.cc, row_service_binding.cc). `rows` hold whole
 * rows, one for each id.
 */
export interface RowsAddon {
  createRowStore(rank: number, worldSize: number): RowStoreHandle;
  /** @param values rows of this rank's range; null: the table only collects sums */
  hostRows(
    store: RowStoreHandle,
    name: string,
    dtype: number,
    dim: number,
    offsets: Float64Array,
    readOnly: boolean,
    values: ArrayBufferView | null,
  ): void;
  /** @param parts this rank's lists in the form of graph parts */
  hostLists(store: RowStoreHandle, name: string, offsets: Float64Array, parts: readonly CscPart[]): void;
  /** Between the stores of one process; with what the call counts for its rank */
  drawGroupLists(
    stores: readonly RowStoreHandle[],
    rank: number,
    name: string,
    ...draw: DrawArguments
  ): readonly [DrawnLists, RowCounters];
  /** `ids` must stay untouched until the promise settles. */
  drawServiceLists(
    service: RowServiceHandle,
    store: RowStoreHandle,
    timeoutMs: number,
    name: string,
    ...draw: DrawArguments
  ): Promise<DrawnLists>;
  applyRowWrites(store: RowStoreHandle, name: string): void;
  takeRowSums(store: RowStoreHandle, name: string): { readonly ids: Int32Array; readonly rows: Float32Array };
  /** Between the stores of one process; returns what the call counts for its rank. */
  callRowGroup(
    stores: readonly RowStoreHandle[],
    rank: number,
    sequence: number,
    op: RowOpCode,
    name: string,
    ids: Int32Array,
    rows: ArrayBufferView,
  ): RowCounters;
  /** Listens from here on; returns the service and the endpoint for the other ranks. */
  createRowService(
    store: RowStoreHandle,
    options: RowServiceOptions,
    secret: Uint8Array,
  ): readonly [RowServiceHandle, string];
  connectRowService(service: RowServiceHandle, endpoints: readonly string[]): Promise<void>;
  /** `ids` and `rows` must stay untouched until the promise settles. */
  callRowService(
    service: RowServiceHandle,
    store: RowStoreHandle,
    timeoutMs: number,
    op: RowOpCode,
    name: string,
    ids: Int32Array,
    rows: ArrayBufferView,
  ): Promise<void>;
  closeRowService(service: RowServiceHandle): Promise<void>;
  rowServiceCounters(service: RowServiceHandle): RowCounters;
}
