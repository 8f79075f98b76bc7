/**
 * Where ranks find each other's addresses. Keys are written once. The transport behind it (Redis, IPC, memory) is the
 * caller's; it needs to live only until every rank has connected.
 */
export interface RendezvousStore {
  set(key: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when some rank has set the key; gives up (rejects) when `signal` aborts. */
  get(key: string, signal: AbortSignal): Promise<Uint8Array>;
}

/** Keys of one process. */
export class InMemoryRendezvousStore implements RendezvousStore {
  readonly #values = new Map<string, Uint8Array>();
  readonly #waiting = new Map<string, ((bytes: Uint8Array) => void)[]>();

  async set(key: string, bytes: Uint8Array): Promise<void> {
    const copy = bytes.slice();
    this.#values.set(key, copy);
    for (const wake of this.#waiting.get(key) ?? []) wake(copy);
    this.#waiting.delete(key);
  }

  get(key: string, signal: AbortSignal): Promise<Uint8Array> {
    const known = this.#values.get(key);
    if (known) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]);
    });
  }
}

/** Puts every key under a prefix, e.g. `job/attempt`: a context that failed is rebuilt under a new one. */
export function prefixedStore(store: RendezvousStore, prefix: string): RendezvousStore {
  return {
    set: (key, bytes) => store.set(`${prefix}/${key}`, bytes),
    get: (key, signal) => store.get(`${prefix}/${key}`, signal),
  };
}
