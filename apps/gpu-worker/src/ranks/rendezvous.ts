/** Where the ranks of one group find each other, as their launcher serves it to them. */
export interface Rendezvous {
  set(key: string, value: Uint8Array): Promise<void> | void;
  /** Resolves when some rank has set the key. */
  get(key: string): Promise<Uint8Array>;
  close(): void;
}

/**
 * The rendezvous of ranks on one host: a small table in the launcher. Keys are set once; a look-up of a
 * missing key is answered when it arrives. The rank that asks sets the time-out.
 */
export class RendezvousTable implements Rendezvous {
  readonly #values = new Map<string, Uint8Array>();
  readonly #waiting = new Map<string, ((value: Uint8Array) => void)[]>();

  set(key: string, value: Uint8Array): void {
    this.#values.set(key, value);
    for (const answer of this.#waiting.get(key) ?? []) answer(value);
    this.#waiting.delete(key);
  }

  get(key: string): Promise<Uint8Array> {
    const value = this.#values.get(key);
    if (value) return Promise.resolve(value);
    return new Promise((resolve) => this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]));
  }

  close(): void {
    this.#waiting.clear();
  }
}
