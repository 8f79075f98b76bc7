import { shareRows } from "../dist/share-rows.ts";
import type { DistEmbedding } from "../dist-store/dist-embedding.ts";
import { RemoteRows } from "../dist-store/remote-rows.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";

/** Learned rows of nodes, as evaluation, inference and files read them. */
export interface LearnedRows {
  readonly dim: number;
  /** Rows of any nodes */
  readonly features: FeatureStore;
  /** GlobalId of the first of `rows` */
  readonly firstNode: number;
  /** float32 [·, dim], not a copy: of all nodes, or where ranks hold parts of the graph of this rank's own */
  readonly rows: Float32Array;
}

export interface RefreshedRows extends LearnedRows {
  /** Lets every rank see the rows as they are now. Every rank calls it. */
  refresh(): Promise<void>;
}

/**
 * All rows in memory that the ranks of a host share; hosts exchange theirs in each `refresh`.
 *
 * @param memory float32 [numRows, dim], the same for every rank of the host
 */
export function rowsInSharedMemory(learned: DistEmbedding, memory: Float32Array): RefreshedRows {
  const { dim, first, local, store } = learned;
  const own = { first: first * dim, count: local.length };
  const features = new DenseFeatureStore(dim, [memory], null, true);
  return {
    dim,
    features,
    firstNode: 0,
    rows: memory,
    refresh: async () => {
      memory.set(local, own.first);
      await store.rank.collective.barrier();
      await shareRows(store.rank, memory, own);
      features.forgetCopies();
    },
  };
}

/** Each row with its owner, who is asked for it when it is needed: no rank holds all of them. */
export function rowsWithOwners(learned: DistEmbedding): RefreshedRows {
  const { name, numRows, dim, first, count, local, store } = learned;
  const own = { first, count };
  return {
    dim,
    features: new RemoteRows({ store, name, kind: "dense", numRows, dim, own, segments: [local] }),
    firstNode: first,
    rows: local,
    refresh: () => store.rank.collective.barrier(),
  };
}
