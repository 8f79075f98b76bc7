declare const handle: unique symbol;
/** A Gloo context and the thread that works for it. */
export type CollectiveHandle = { readonly [handle]: "collective" };

/** Asks the rendezvous store; answered on the JavaScript thread while the context connects. */
export type StoreRequest = (
  op: "set" | "get",
  key: string,
  bytes: Uint8Array,
  timeoutMs: number,
) => Promise<Uint8Array | undefined>;

export interface CollectiveOptions {
  readonly rank: number;
  readonly worldSize: number;
  readonly address: string;
  readonly timeoutMs: number;
  /** Ports to listen on; 0: any */
  readonly firstPort: number;
  readonly lastPort: number;
}

/**
 * Native functions between ranks (native/binding/dist_binding.cc). Operations of one handle run in the order issued.
 */
export interface DistAddon {
  createCollective(options: CollectiveOptions, request: StoreRequest): CollectiveHandle;
  collectiveConnect(collective: CollectiveHandle): Promise<void>;
  /** In place; `values` must stay untouched until the promise settles. */
  collectiveAllReduceSum(collective: CollectiveHandle, values: Float32Array): Promise<void>;
  collectiveBarrier(collective: CollectiveHandle): Promise<void>;
  collectiveClose(collective: CollectiveHandle): Promise<void>;
}
