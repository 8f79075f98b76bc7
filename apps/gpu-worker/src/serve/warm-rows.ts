import {
  type ArtifactCache,
  type BlobSelection,
  type BlobStore,
  type CachedArtifact,
  readManifest,
} from "@hopwise/artifacts";
import { AppError, type ArtifactRef, type ServedSource } from "@hopwise/contracts";
import { openServedModel, type ServedModel, ServedRows } from "@hopwise/gnn-core/serving";
import { type ArtifactDir, manifest, type Registry } from "@hopwise/gnn-core/spec";
import { KeptWarm } from "./kept-warm.ts";

export interface WarmRowsOptions {
  readonly store: BlobStore;
  readonly cache: ArtifactCache;
  readonly registry: Registry;
  /** Rows beyond it are given up, those first that were asked for longest ago; the last ones always stay. */
  readonly maxBytes: number;
  /** That a model may compute with */
  readonly threads: number;
}

/** What of a graph single answers are made from: ids, types and what is known of nodes, or of the graphs of a set */
const readForRows: BlobSelection = () => [
  "nodes/ids",
  "nodes/type.npy",
  "nodes/targets.npy",
  "nodes/labels",
  "graphs/",
];

/** What of parts says in which order the rows lie that a model has learned of single nodes */
const readForOrder: BlobSelection = () => ["node_map.npy"];

/**
 * Rows of jobs, kept ready by the digests of what they are made of: equal content is loaded once. Models are kept for
 * each stored graph: its dataset's rules for edges are no part of its content, and decide what new edges mean.
 */
export class WarmRows {
  readonly #options: WarmRowsOptions;
  readonly #warm: KeptWarm;

  constructor(options: WarmRowsOptions) {
    this.#options = options;
    this.#warm = new KeptWarm(options.maxBytes);
  }

  /** @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED; GnnError MANIFEST_INVALID */
  take({ remapped, graph }: ServedSource): Promise<ServedRows> {
    const { registry } = this.#options;
    return this.#warm.take(`rows ${remapped.digest}/${graph.digest}`, async (hold) =>
      ServedRows.open({
        remapped: await this.#fetch(hold, remapped),
        graph: await this.#fetch(hold, graph, readForRows),
        registry,
      }),
    );
  }

  /**
   * The model that made the rows, beside its graph.
   *
   * @throws AppError JOB_WITHOUT_RESULTS when it is not stored any more; what `openServedModel` throws
   */
  takeModel({ model, graph, parts, reading }: ServedSource): Promise<ServedModel> {
    if (!model) {
      throw new AppError("JOB_WITHOUT_RESULTS", "The model of these rows is not stored any more; train it again.");
    }
    const { registry, store, threads } = this.#options;
    const read = `${graph.digest} at ${graph.prefix} read ${JSON.stringify(reading)}`;
    return this.#warm.take(`model ${model.digest}/${read}`, async (hold) => {
      const { dir } = await this.#fetch(hold, graph);
      // The cache has the manifest of whichever graph of this content came first.
      const own = manifest.parse(await readManifest(store, graph.prefix));
      return openServedModel({
        model: await this.#fetch(hold, model),
        graph: { dir, manifest: own },
        parts: async () => parts && this.#fetch(hold, parts, readForOrder),
        reading,
        registry,
        threads,
      });
    });
  }

  async #fetch(hold: (artifact: CachedArtifact) => void, ...what: [ArtifactRef, BlobSelection?]): Promise<ArtifactDir> {
    const artifact = await this.#options.cache.fetch(this.#options.store, ...what);
    hold(artifact);
    return { dir: artifact.dir, manifest: manifest.parse(artifact.manifest) };
  }
}
