import type { CachedArtifact } from "@hopwise/artifacts";

interface Warm {
  readonly what: Promise<Sized>;
  /** 0 while it is loaded */
  bytes: number;
  readonly release: () => void;
}

/** What is kept ready. */
export interface Sized {
  readonly bytes: number;
  /** Frees what the garbage collector does not; whoever still uses it may do so to the end. */
  retire?(): void;
}

/** Opens something from files; each artifact that it fetches is held as long as the thing is kept. */
export type OpenWarm<T extends Sized> = (hold: (artifact: CachedArtifact) => void) => Promise<T>;

/** Things that take a while to load, kept by key within a bound: those go first that were asked for longest ago. */
export class KeptWarm {
  readonly #maxBytes: number;
  /** The one that was asked for last stands last. */
  readonly #warm = new Map<string, Warm>();

  /** @param maxBytes beyond it things are given up; the last one always stays */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The thing of this key, opened if it is not warm; all who ask meanwhile share the work.
   *
   * @throws what `open` throws
   */
  take<T extends Sized>(key: string, open: OpenWarm<T>): Promise<T> {
    const warm = this.#warm.get(key) ?? this.#load(key, open);
    this.#warm.delete(key);
    this.#warm.set(key, warm);
    return warm.what as Promise<T>;
  }

  #load(key: string, open: OpenWarm<Sized>): Warm {
    const held: CachedArtifact[] = [];
    const release = () => {
      for (const artifact of held) artifact.release();
    };
    const warm: Warm = { what: open((artifact) => held.push(artifact)), bytes: 0, release };
    void this.#settle(key, warm);
    return warm;
  }

  async #settle(key: string, warm: Warm): Promise<void> {
    try {
      warm.bytes = (await warm.what).bytes;
      this.#giveUpOldest();
    } catch {
      // Who asked for it is told; who asks again has it loaded anew.
      warm.release();
      if (this.#warm.get(key) === warm) this.#warm.delete(key);
    }
  }

  /** Whoever reads it still does so to the end: what is mapped stays as long as it is used. */
  #giveUpOldest(): void {
    let bytes = [...this.#warm.values()].reduce((sum, warm) => sum + warm.bytes, 0);
    for (const [key, warm] of this.#warm) {
      if (bytes <= this.#maxBytes || this.#warm.size === 1) return;
      if (warm.bytes === 0) continue;
      this.#warm.delete(key);
      warm.release();
      void warm.what.then((thing) => thing.retire?.());
      bytes -= warm.bytes;
    }
  }
}
