import type { ArtifactCache, BlobSelection, BlobStore, CachedArtifact } from "@hopwise/artifacts";
import type { ArtifactRef, ServedSource } from "@hopwise/contracts";
import { ServedRows } from "@hopwise/gnn-core/serving";
import { manifest, type Registry } from "@hopwise/gnn-core/spec";

export interface WarmRowsOptions {
  readonly store: BlobStore;
  readonly cache: ArtifactCache;
  readonly registry: Registry;
  /** Rows beyond it are given up, those first that were asked for longest ago; the last ones always stay. */
  readonly maxBytes: number;
}

interface Warm {
  readonly rows: Promise<ServedRows>;
  /** 0 while they are loaded */
  bytes: number;
  readonly release: () => void;
}

/** What of a graph single answers are made from: ids, types and what is known of nodes, or of the graphs of a set */
const readOfGraph: BlobSelection = () => [
  "nodes/ids",
  "nodes/type.npy",
  "nodes/targets.npy",
  "nodes/labels",
  "graphs/",
];

/** Rows of jobs, kept ready by the digests of what they are made of: equal content is loaded once, whoever asks. */
export class WarmRows {
  readonly #options: WarmRowsOptions;
  /** The one that was asked for last stands last. */
  readonly #warm = new Map<string, Warm>();

  constructor(options: WarmRowsOptions) {
    this.#options = options;
  }

  /**
   * The rows, loaded if they are not warm; all who ask meanwhile share the work.
   *
   * @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED; GnnError MANIFEST_INVALID
   */
  take(source: ServedSource): Promise<ServedRows> {
    const key = `${source.remapped.digest}/${source.graph.digest}`;
    const warm = this.#warm.get(key) ?? this.#load(key, source);
    this.#warm.delete(key);
    this.#warm.set(key, warm);
    return warm.rows;
  }

  #load(key: string, source: ServedSource): Warm {
    const held: CachedArtifact[] = [];
    const release = () => {
      for (const artifact of held) artifact.release();
    };
    const warm: Warm = { rows: this.#open(source, held), bytes: 0, release };
    void this.#settle(key, warm);
    return warm;
  }

  async #settle(key: string, warm: Warm): Promise<void> {
    try {
      warm.bytes = (await warm.rows).bytes;
      this.#giveUpOldest();
    } catch {
      // Who asked for them is told; who asks again has them loaded anew.
      warm.release();
      if (this.#warm.get(key) === warm) this.#warm.delete(key);
    }
  }

  async #open({ remapped, graph }: ServedSource, held: CachedArtifact[]): Promise<ServedRows> {
    const { store, cache, registry } = this.#options;
    const fetched = async (...what: [ArtifactRef, BlobSelection?]) => {
      const artifact = await cache.fetch(store, ...what);
      held.push(artifact);
      return { dir: artifact.dir, manifest: manifest.parse(artifact.manifest) };
    };
    return ServedRows.open({ remapped: await fetched(remapped), graph: await fetched(graph, readOfGraph), registry });
  }

  /** Whoever reads them still does so to the end: what is mapped stays as long as it is used. */
  #giveUpOldest(): void {
    let bytes = [...this.#warm.values()].reduce((sum, warm) => sum + warm.bytes, 0);
    for (const [key, warm] of this.#warm) {
      if (bytes <= this.#options.maxBytes || this.#warm.size === 1) return;
      if (warm.bytes === 0) continue;
      this.#warm.delete(key);
      warm.release();
      bytes -= warm.bytes;
    }
  }
}
