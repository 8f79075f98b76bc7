import { GnnError } from "../errors/gnn-error.ts";
import type { CscPart, DrawKey, DrawnLists } from "../graph/csc-graph.ts";
import { int64Words, setInt64 } from "../io/int64.ts";
import type { MessageFunction, ReduceFunction } from "../ops/message-passing.ts";
import { PartitionBook } from "../partition/partition-book.ts";
import { evenOffsets, type RowDtype } from "../partition/row-schema.ts";
import { keyedHash } from "../random/keyed-order.ts";
import type { DistStore } from "./dist-store.ts";
import { DistTensor } from "./dist-tensor.ts";
import { type DistMessageInput, type DistUpdateOptions, distUpdateAll } from "./dist-update-all.ts";
import type { GraphPart, PartRows } from "./graph-part.ts";
import type { RowInitializer } from "./initializers.ts";
import { SeedShare, splitByMask } from "./seed-share.ts";

export type MaskTensor = DistTensor<"int8"> | DistTensor<"uint8">;

/** What a random walk depends on, beside its first node. */
export interface WalkKey {
  readonly seed: number;
  readonly epoch: number;
  /** Tells several walks from one node apart; default 0 */
  readonly round?: number;
}

/** What drawn in-edges depend on, beside the node: `hop` counts from the seeds. Left out: 0, and no replacement. */
export interface SampleKey extends Partial<DrawKey> {
  readonly seed: number;
  readonly replace?: boolean;
}

/** Rows of a value per node or edge; `rowShape` left out: one number each. */
export interface DataOptions<D extends RowDtype> {
  readonly dtype: D;
  readonly rowShape?: readonly number[];
  readonly init?: RowInitializer;
}

/**
 * A graph of which each rank holds a range of nodes with their in-edges, and reads the rest by GlobalId. Standalone it
 * is the whole graph; the program is the same. DGL: DistGraph.
 */
export class DistGraph {
  readonly numNodes: number;
  readonly numEdges: number;
  /** Who owns which GlobalIds, and which edges by relabelled edge id */
  readonly book: PartitionBook;
  /** Rows of nodes by name, such as `labels`, `split`, `features` */
  readonly ndata: Readonly<Record<string, DistTensor>>;
  /** Rows of edges by name, such as `weight` */
  readonly edata: Readonly<Record<string, DistTensor>>;
  readonly #name: string;
  readonly #store: DistStore;
  /** This rank's nodes with their in-edges */
  readonly #held: CscPart;
  /** int32 [numNodes, 2]: first in-edge, in-degree */
  readonly #inEdges: DistTensor<"int32">;
  /** int32 [numEdges] */
  readonly #sources: DistTensor<"int32">;
  readonly #targets: DistTensor<"int32">;

  private constructor(
    store: DistStore,
    name: string,
    part: GraphPart,
    tables: Pick<DistGraph, "book" | "ndata" | "edata"> & {
      readonly inEdges: DistTensor<"int32">;
      readonly sources: DistTensor<"int32">;
      readonly targets: DistTensor<"int32">;
      readonly held: CscPart;
    },
  ) {
    this.#store = store;
    this.#name = name;
    this.numNodes = part.numNodes;
    this.numEdges = part.numEdges;
    this.book = tables.book;
    this.ndata = tables.ndata;
    this.edata = tables.edata;
    this.#inEdges = tables.inEdges;
    this.#sources = tables.sources;
    this.#targets = tables.targets;
    this.#held = tables.held;
  }

  /**
   * Joins what every rank holds. Every rank calls it with its own part: `loadGraphPart`, or `cutGraph`.
   *
   * @throws GnnError RANK_MISMATCH when the ranks hold parts of different graphs, DATASET_TOO_LARGE from 2^31 edges on
   */
  static async create(store: DistStore, name: string, part: GraphPart): Promise<DistGraph> {
    if (part.numEdges >= 2 ** 31) {
      throw new GnnError(
        "DATASET_TOO_LARGE",
        `The graph has ${part.numEdges} edges; edge rows are named by int32 ids.`,
      );
    }
    const { nodeOffsets, edgeOffsets } = part;
    const host = <D extends RowDtype>(table: string, rows: PartRows<D>, offsets: readonly number[]) =>
      DistTensor.hosted(store, { name: `${name}/${table}`, offsets, ...rows });
    const hostAll = async (folder: string, tables: Readonly<Record<string, PartRows>>, offsets: readonly number[]) => {
      const hosted: Record<string, DistTensor> = {};
      // In one order on all ranks: creations are collective.
      for (const key of Object.keys(tables).toSorted()) {
        hosted[key] = await host(`${folder}/${key}`, tables[key] as PartRows, offsets);
      }
      return hosted;
    };
    const held = await hostInLists(store, `${name}/in-lists`, part);
    const firstEdge = part.edgeOffsets[store.rank.rank] as number;
    return new DistGraph(store, name, part, {
      held,
      book: new PartitionBook(nodeOffsets, edgeOffsets),
      inEdges: await host(
        "in-edges",
        { dtype: "int32", rowShape: [2], values: inEdgesOf(part, firstEdge) },
        nodeOffsets,
      ),
      sources: await host("sources", { dtype: "int32", rowShape: [], values: part.sources }, edgeOffsets),
      targets: await host("targets", { dtype: "int32", rowShape: [], values: targetsOf(part, store) }, edgeOffsets),
      ndata: await hostAll("ndata", part.nodeRows, nodeOffsets),
      edata: await hostAll("edata", part.edgeRows, edgeOffsets),
    });
  }

  /** A tensor with a row for every node, with the node's owner: made, or found by its name. DGL: init_ndata. */
  createNodeData<D extends RowDtype>(name: string, options: DataOptions<D>): Promise<DistTensor<D>> {
    return this.#createRows(`ndata/${name}`, this.book.nodeOffsets, options);
  }

  /** Creates rows for the edges, as `createNodeData` does for the nodes. DGL: init_edata. */
  createEdgeData<D extends RowDtype>(name: string, options: DataOptions<D>): Promise<DistTensor<D>> {
    return this.#createRows(`edata/${name}`, this.book.edgeOffsets, options);
  }

  #createRows<D extends RowDtype>(
    name: string,
    offsets: readonly number[],
    { rowShape = [], ...rest }: DataOptions<D>,
  ): Promise<DistTensor<D>> {
    const shape = [offsets.at(-1) ?? 0, ...rowShape] as const;
    return DistTensor.create(this.#store, { name: `${this.#name}/${name}`, shape, offsets, ...rest });
  }

  /** Numbers of in-edges, int32 [nodes] */
  async inDegrees(nodes: Int32Array): Promise<Int32Array> {
    const rows = await this.#inEdges.get(nodes);
    return nodes.map((_, i) => rows[2 * i + 1] as number);
  }

  /**
   * In-edges drawn uniformly, without replacement unless asked for, with the draws of the neighbour sampler: a function
   * of (seed, epoch, step, hop, node), the same edges as on one rank. DGL: sample_neighbors.
   *
   * @param nodes GlobalIds, each asked of its owner once
   * @returns     sources by node, GlobalIds ascending, and their weights if the graph has any
   */
  sampleNeighbors(
    nodes: Int32Array,
    fanout: number,
    { seed, epoch = 0, step = 0, hop = 0, replace = false }: SampleKey,
  ): Promise<DrawnLists> {
    return this.#store.draw(`${this.#name}/in-lists`, nodes, { fanout, replace, seed, epoch, step, hop });
  }

  /** All in-edges of the nodes, GlobalIds ascending by node, and their weights. DGL: in_subgraph. */
  inSubgraph(nodes: Int32Array): Promise<DrawnLists> {
    return this.sampleNeighbors(nodes, -1, { seed: 0 });
  }

  /** Source and destination of edges by relabelled edge id, int32 [edges] each. DGL: find_edges. */
  async findEdges(edges: Int32Array): Promise<{ readonly src: Int32Array; readonly dst: Int32Array }> {
    const [src, dst] = await Promise.all([this.#sources.get(edges), this.#targets.get(edges)]);
    return { src, dst };
  }

  /**
   * One round of message passing over the whole graph, h_v = apply(reduce{ message(src_u, dst_v, edge_e) : e = u → v },
   * dst_v), with the functions of `updateAll`. Every rank computes its own nodes, batch by batch, and reads the rows of
   * their in-neighbours in other parts from their owners: each once a batch, the next batch's while one is computed.
   * Every rank calls it alike; it ends the step before it, as `publish` does, and ends with a barrier: `into` can then
   * be read. The results do not depend on ranks or batches. DGL: update_all of a DistGraph.
   *
   *   await graph.updateAll({ src: x, dst: norm }, "copySrc", "sum", { apply: (sum, norm) => mul(sum, norm!), into: h
   * });
   *
   * @throws GnnError SHAPE_MISMATCH when rows do not fit the graph or `into`; SPEC_INVALID when `into` cannot be
   * written, or is read as well; CANCELLED on every rank when the signal of one is aborted; RANK_LOST, RANK_TIMEOUT
   */
  updateAll(
    input: DistMessageInput,
    message: MessageFunction,
    reduce: ReduceFunction,
    options: DistUpdateOptions,
  ): Promise<void> {
    const place = { store: this.#store, book: this.book, held: this.#held };
    return distUpdateAll(place, input, message, reduce, options);
  }

  /**
   * This rank's share of the nodes whose mask has the value: even, mostly its own, the same number of steps on every
   * rank. Every rank calls it. DGL: node_split.
   */
  nodeSplit(mask: MaskTensor, value = 1): Promise<SeedShare> {
    return splitByMask(this.#store, mask, this.book.nodeOffsets, value);
  }

  /** Splits the edges as `nodeSplit` does the nodes; without a mask all of them. DGL: edge_split. */
  async edgeSplit(mask?: MaskTensor, value = 1): Promise<SeedShare> {
    if (mask) return splitByMask(this.#store, mask, this.book.edgeOffsets, value);
    const { rank, worldSize } = this.#store.rank;
    const ranges = evenOffsets(this.numEdges, worldSize);
    const first = ranges[rank] as number;
    const end = ranges[rank + 1] as number;
    return new SeedShare(
      Int32Array.from({ length: end - first }, (_, i) => first + i),
      this.numEdges,
      worldSize,
    );
  }

  /**
   * Walks against the direction of edges, each step to an in-neighbour drawn uniformly (Perozzi, Al-Rfou and Skiena
   * 2014, arXiv:1403.6652, walk along undirected edges). A function of (seed, epoch, round, hop, first node): the same
   * walks on any number of ranks.
   *
   * @returns int32 [starts, length + 1] GlobalIds; −1 after a node without in-edges
   */
  async randomWalks(starts: Int32Array, length: number, { seed, epoch, round = 0 }: WalkKey): Promise<Int32Array> {
    const width = length + 1;
    const walks = new Int32Array(starts.length * width).fill(-1);
    for (const [w, start] of starts.entries()) walks[w * width] = start;
    let going = Int32Array.from(starts.keys());
    for (let hop = 0; hop < length && going.length > 0; hop++) {
      const rows = await this.#inEdges.get(going.map((w) => walks[w * width + hop] as number));
      const alive = going.map((_, i) => i).filter((i) => (rows[2 * i + 1] as number) > 0);
      const edges = alive.map((i) => {
        const draw = keyedHash(seed, epoch, round, hop, starts[going[i] as number] as number) / 2 ** 32;
        return (rows[2 * i] as number) + Math.floor(draw * (rows[2 * i + 1] as number));
      });
      going = alive.map((i) => going[i] as number);
      const next = await this.#sources.get(edges);
      for (const [i, w] of going.entries()) walks[w * width + hop + 1] = next[i] as number;
    }
    return walks;
  }
}

/** The part's in-edges as lists that their owner draws from. */
function hostInLists(store: DistStore, name: string, part: GraphPart): Promise<CscPart> {
  const { nodeOffsets, sources, inDegrees, edgeRows } = part;
  return store.createOrReuse(name, `in-edges of nodes at ${nodeOffsets.join(" ")}`, () => {
    const indptr = new BigInt64Array(inDegrees.length + 1);
    const words = int64Words(indptr);
    let end = 0;
    for (const [node, degree] of inDegrees.entries()) {
      end += degree;
      setInt64(words, node + 1, end);
    }
    const firstNode = nodeOffsets[store.rank.rank] as number;
    const numNodes = inDegrees.length;
    const weights = (edgeRows["weight"]?.values as Float32Array | undefined) ?? null;
    const held = { firstNode, numNodes, indptr, indices: sources, weights };
    store.hostLists(name, nodeOffsets, [held]);
    return held;
  });
}

/** int32 [edges of this rank]: GlobalId at which each in-edge ends */
function targetsOf({ inDegrees, sources, nodeOffsets }: GraphPart, { rank }: DistStore): Int32Array {
  const targets = new Int32Array(sources.length);
  const first = nodeOffsets[rank.rank] as number;
  let edge = 0;
  for (const [node, degree] of inDegrees.entries()) {
    targets.fill(first + node, edge, edge + degree);
    edge += degree;
  }
  return targets;
}

function inEdgesOf({ inDegrees }: GraphPart, firstEdge: number): Int32Array {
  const rows = new Int32Array(2 * inDegrees.length);
  let edge = firstEdge;
  for (const [node, degree] of inDegrees.entries()) {
    rows[2 * node] = edge;
    rows[2 * node + 1] = degree;
    edge += degree;
  }
  return rows;
}
