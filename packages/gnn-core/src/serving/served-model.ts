import { prepareBackend } from "../backends/prepare-backend.ts";
import { tensorFloats } from "../backends/tensor-floats.ts";
import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { maxFeatureNumbers } from "../explain/computation-graph.ts";
import { explainComputed, explainNode, type NodeExplanation } from "../explain/explain-node.ts";
import type { ExplainOptions } from "../explain/explain-options.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { laidOutFeatures } from "../features/laid-out-features.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { embeddingLayer } from "../infer/infer-nodes.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import type { GnnModel } from "../nn/model.ts";
import { noDropout } from "../nn/no-dropout.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { mapGraphArtifact } from "../partition/graph-artifact.ts";
import { inTypesOfModel } from "../partition/in-types-of-model.ts";
import { asTrained, type GraphReading } from "../spec/graph-reading.ts";
import { type ModelInfo, readModelInfo } from "../spec/model-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { appliedModel } from "../train/applied-model.ts";
import { messageGraphOf } from "../train/build-components.ts";
import { type FittedTransform, transformed } from "../train/feature-transforms.ts";
import { withColumnsOfModel } from "../train/laid-out-data.ts";
import { readTransforms } from "../train/transforms-file.ts";
import { learnedById, learnedInOrder } from "./learned-rows-of-types.ts";
import { assertInductive, assertOneGraph, numLearnedRows, withoutOrder } from "./new-nodes/applicable-model.ts";
import { GrownGraph } from "./new-nodes/grown-graph.ts";
import { withNewRows } from "./new-nodes/new-feature-rows.ts";
import type { NewNode } from "./new-nodes/new-node.ts";
import { NewNodeReader } from "./new-nodes/new-node-reader.ts";
import { type NeighborhoodLimits, wholeNeighborhood } from "./new-nodes/whole-neighborhood.ts";
import { storedGraph } from "./stored-graph.ts";

/** Rows of new nodes, in their order */
export interface NewRows {
  /** float32 [numNew, dim], as the embeddings of an `infer` job */
  readonly embeddings: Float32Array;
  /** float32 [numNew, outDim], as its logits */
  readonly outputs: Float32Array;
}

interface ServedModelParts {
  readonly info: ModelInfo;
  readonly model: GnnModel;
  readonly registry: Registry;
  readonly transforms: readonly FittedTransform[];
  readonly graph: CscGraph;
  readonly features: FeatureStore | null;
  readonly reader: NewNodeReader;
  readonly reading: GraphReading;
}

/**
 * A trained model beside the stored graph that it is applied to, kept ready to compute the rows of nodes that the graph
 * does not have. The graph and its features are mapped; the graph of messages is made anew only where messages do not
 * go along the stored edges.
 */
export class ServedModel {
  readonly #info: ModelInfo;
  readonly #model: GnnModel;
  readonly #registry: Registry;
  readonly #transforms: readonly FittedTransform[];
  readonly #graph: CscGraph;
  readonly #features: FeatureStore | null;
  readonly #reader: NewNodeReader;
  readonly #reading: GraphReading;
  #numAtWork = 0;
  #isRetired = false;
  #isDisposed = false;

  private constructor(parts: ServedModelParts) {
    this.#info = parts.info;
    this.#model = parts.model;
    this.#registry = parts.registry;
    this.#transforms = parts.transforms;
    this.#graph = parts.graph;
    this.#features = parts.features;
    this.#reader = parts.reader;
    this.#reading = parts.reading;
  }

  /**
   * @param sources the `graph` whose nodes are known, and the `model` that was trained on it or is applied to it; of a
   * model with learned rows of types without features that keeps no ids with them, as those of earlier versions, the
   * `parts` that it was trained on, asked for then alone (null: they are not stored any more). `reading`: how the
   * job that applied the model read the graph
   * @param threads that computing may use
   * @throws GnnError SPEC_INVALID when the model can give no rows to other nodes, or the data are a set of graphs;
   * MANIFEST_INVALID, CHECKPOINT_INVALID
   */
  static async open(sources: {
    readonly graph: ArtifactDir;
    readonly model: ArtifactDir;
    readonly parts?: () => Promise<ArtifactDir | null>;
    readonly reading?: GraphReading;
    readonly registry: Registry;
    readonly threads: number;
  }): Promise<ServedModel> {
    const { model: artifact, graph: made, registry, reading = asTrained } = sources;
    const info = readModelInfo(artifact);
    assertInductive(info, resolveTask(info.task, registry).component, registry);
    const facts = graphInfo.parse(made.manifest.info);
    assertOneGraph(facts);
    const numLearned = numLearnedRows(info, registry);
    const named = numLearned > 0 ? info.learnedRows : null;
    const parts = numLearned > 0 && !named ? ((await sources.parts?.()) ?? null) : null;
    if (numLearned > 0 && !named && !parts) throw withoutOrder(numLearned);
    await prepareBackend(sources.threads);
    const stored = mapGraphArtifact(made);
    const mapped = reading.types ? inTypesOfModel(stored, reading.types) : stored;
    const inOrder = parts && mapped.nodeTypes ? learnedInOrder(parts, mapped.nodeTypes, facts) : null;
    const learned = named ? await learnedById(made, artifact, named) : inOrder;
    const graph = withColumnsOfModel(await storedGraph(mapped, facts, learned), reading.columns);
    const { applied: model } = await appliedModel(artifact, info, registry, graph);
    const transforms = await readTransforms(artifact.dir, info.transforms);
    const types = { typeCodes: mapped.nodeTypes, hasLearnedRows: numLearned > 0, types: reading.types };
    const reader = new NewNodeReader(made, graph, types);
    return new ServedModel({ info, model, registry, transforms, graph, features: mapped.features, reader, reading });
  }

  /** Bytes of the files that are mapped */
  get bytes(): number {
    const mapped = (this.#features?.mapped ?? []).reduce((sum, { byteLength }) => sum + byteLength, 0);
    return mapped + 8 * this.#graph.numNodes + this.#bytesOfEdge() * this.#graph.numEdges;
  }

  #bytesOfEdge(): number {
    const { weights, types } = this.#graph.parts[0] as CscGraph["parts"][number];
    return 4 * (1 + Number(weights != null) + Number(types != null));
  }

  /**
   * The rows of nodes that the graph does not have, from their whole neighbourhoods: what a job of the kind `infer`
   * gives them once they are in a version of the dataset.
   *
   * @param rowOf NodeIndex of a known id, or −1
   * @throws GnnError SPEC_INVALID, NODE_UNKNOWN, NODE_EXISTS, NODE_TOO_COSTLY with the place in the list
   */
  async infer(nodes: readonly NewNode[], rowOf: (id: string) => number, limits: NeighborhoodLimits): Promise<NewRows> {
    return this.#during(() => this.#infer(nodes, rowOf, limits));
  }

  async #infer(nodes: readonly NewNode[], rowOf: (id: string) => number, limits: NeighborhoodLimits): Promise<NewRows> {
    const ats = nodes.map((_, at) => at);
    const { blocks, rows, prepare } = await this.#computed(nodes, ats, { rowOf, limits });
    prepare();
    return this.#apply(blocks, rows, nodes.length);
  }

  /** All that the rows of some of the new nodes are computed from. */
  async #computed(
    nodes: readonly NewNode[],
    ats: readonly number[],
    { rowOf, limits }: { readonly rowOf: (id: string) => number; readonly limits: NeighborhoodLimits },
  ) {
    const { numNodes, relations, nodeTypes } = this.#graph;
    const { types, edges, features } = this.#reader.read(nodes, rowOf);
    const stored = await this.#messagesOf(this.#graph);
    const grown = await GrownGraph.open(stored, edges, (graph) => this.#messagesOf(graph), relations);
    const seeds = Int32Array.from(ats, (at) => numNodes + at);
    const blocks = await wholeNeighborhood(grown, this.#model, seeds, { inDim: this.#reader.dim, limits });
    const rows = await this.#inputRows(blocks[0] as Block, features);
    // Another question may be answered meanwhile: the room holds the types of one at a time, while it computes.
    return { blocks, rows, prepare: () => nodeTypes?.codes.set(types, numNodes) };
  }

  /**
   * Why the model gives a known node its class: `explainNode`, with GlobalIds that are NodeIndex and features as the
   * model sees them.
   *
   * @throws GnnError SPEC_INVALID of another task; what `explainNode` throws
   */
  explain(row: number, options: ExplainOptions & { readonly signal: AbortSignal }): Promise<NodeExplanation> {
    return this.#during(async () => {
      this.#assertTellsClasses();
      const graph = await this.#messagesOf(this.#graph);
      const features = this.#asModelSees(this.#storedFeatures());
      return explainNode({ model: this.#model, graph, features }, row, options);
    });
  }

  /**
   * Why the model gives a node its class that the graph does not have: what `explain` says of it once it is stored. An
   * end of an edge that is not below `numKnown` is the new node of this place behind it.
   *
   * @param at  which of the nodes
   * @param rowOf  NodeIndex of a known id, or −1
   * @throws GnnError what `infer` and `explain` throw
   */
  explainNew(
    nodes: readonly NewNode[],
    at: number,
    rowOf: (id: string) => number,
    options: ExplainOptions & { readonly signal: AbortSignal; readonly maxEdges: number },
  ): Promise<NodeExplanation> {
    return this.#during(async () => {
      this.#assertTellsClasses();
      const limits = { edges: options.maxEdges, numbers: maxFeatureNumbers };
      const { blocks, rows, prepare } = await this.#computed(nodes, [at], { rowOf, limits });
      const x = tidy(() => featuresToTensor(rows));
      return explainComputed(this.#model, { blocks, x, prepare }, this.numKnown + at, options);
    });
  }

  #assertTellsClasses(): void {
    const { component } = resolveTask(this.#info.task, this.#registry);
    if ("tellsOneClass" in component && component.tellsOneClass) return;
    throw new GnnError("SPEC_INVALID", "The model tells no classes of single nodes; only these can be explained.");
  }

  /** Nodes of the stored graph */
  get numKnown(): number {
    return this.#graph.numNodes;
  }

  /** Names of the types of edges, where there are several */
  get relations(): readonly string[] {
    return this.#graph.relations ?? [];
  }

  /** What the columns are called that the model reads; empty: the graph does not have the column */
  get featureNames(): readonly string[] {
    const { featureNames } = this.#reader;
    const { columns } = this.#reading;
    if (!columns) return featureNames;
    const names = Array.from({ length: columns.dim }, () => "");
    for (const { from, to, count } of columns.runs) names.splice(to, count, ...featureNames.slice(from, from + count));
    return names;
  }

  /** Frees the weights once no question is being answered by them, and none is about to be. */
  retire(): void {
    this.#isRetired = true;
    setImmediate(() => this.#disposeUnlessUsed());
  }

  async #during<T>(work: () => Promise<T>): Promise<T> {
    this.#numAtWork++;
    try {
      return await work();
    } finally {
      this.#numAtWork--;
      if (this.#isRetired) this.#disposeUnlessUsed();
    }
  }

  #disposeUnlessUsed(): void {
    if (this.#numAtWork > 0 || this.#isDisposed) return;
    this.#isDisposed = true;
    this.#model.dispose();
  }

  #messagesOf(graph: CscGraph): Promise<CscGraph> {
    const { sampling } = this.#info;
    return sampling ? messageGraphOf(sampling, graph, this.#registry) : Promise.resolve(graph);
  }

  /** Rows of the features of all that the first block reads, transformed as they were in training */
  async #inputRows({ srcIds }: Block, given: Float32Array): Promise<FeatureRows> {
    return this.#asModelSees(withNewRows(this.#storedFeatures(), given)).gatherAsync(srcIds);
  }

  /** In the columns of the model, and transformed */
  #asModelSees(features: FeatureStore): FeatureStore {
    const { columns } = this.#reading;
    return transformed(columns ? laidOutFeatures(features, columns) : features, this.#transforms);
  }

  #storedFeatures(): FeatureStore {
    if (this.#features) return this.#features;
    throw new GnnError("SPEC_INVALID", "The graph has no features, and the model reads some.");
  }

  #apply(blocks: readonly Block[], input: FeatureRows, numNew: number): NewRows {
    const { layers } = this.#model;
    const embedded = embeddingLayer(this.#model);
    return tidy(() => {
      let hidden: Tensor2D | null = null;
      let embeddings = new Float32Array();
      for (const [index, layer] of layers.entries()) {
        const rows: FeatureRows | Tensor2D = hidden ?? input;
        hidden = layer.forward(blocks[index] as Block, rows, noDropout);
        // The new nodes are the first rows of each.
        if (index === embedded.index) embeddings = tensorFloats(hidden).slice(0, numNew * embedded.dim);
      }
      return { embeddings, outputs: tensorFloats(hidden ?? tensor2d([], [0, 0])).slice() };
    });
  }
}
