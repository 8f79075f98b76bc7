import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { columnsOfUnknown } from "../export/columns-of-unknown.ts";
import { columnsOfTask } from "../export/result-batches.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { inferredTask } from "../spec/inferred-info.ts";
import { resolveTask } from "../spec/resolve-task.ts";
import { remappedInfo } from "../spec/result-info.ts";
import type { PredictionColumn, PredictionColumns } from "../tasks/known-nodes.ts";
import { graphsAsRows } from "../whole-graphs/graph-rows-artifact.ts";
import { NearestSearch, type NeighborMetric, type RowGroup } from "./nearest-search.ts";
import { NodeLookup } from "./node-lookup.ts";

export interface NeighborsQuery {
  /** The user's id of a node, which is none of its own neighbours; one of it and `vector` is given */
  readonly id?: string | undefined;
  readonly vector?: readonly number[] | undefined;
  readonly k: number;
  readonly metric: NeighborMetric;
  /** Only nodes of this type, or with this label; at most one of both */
  readonly type?: string | undefined;
  readonly label?: string | undefined;
}

export interface Neighbor {
  readonly id: string;
  readonly score: number;
}

/** What the task says of one node: `p_<class>`, `predicted`, … as in an export of predictions; null: not known. */
export type Prediction = Readonly<Record<string, string | number | null>>;

/**
 * The rows that a job has for the nodes of a stored graph, kept ready for single questions: the files are mapped, and
 * what an answer needs beside them is made when it is first asked for.
 */
export class ServedRows {
  readonly #graph: ArtifactDir;
  readonly #remapped: ArtifactDir;
  readonly #registry: Registry;
  readonly #lookup: NodeLookup;
  readonly #embeddings: { readonly values: Float32Array; readonly dim: number };
  readonly #predictions: { readonly logits: Float32Array; readonly columnsOf: PredictionColumns } | null;
  #search: Promise<NearestSearch> | null = null;

  private constructor(parts: {
    graph: ArtifactDir;
    remapped: ArtifactDir;
    registry: Registry;
    lookup: NodeLookup;
    embeddings: { values: Float32Array; dim: number };
    predictions: { logits: Float32Array; columnsOf: PredictionColumns } | null;
  }) {
    this.#graph = parts.graph;
    this.#remapped = parts.remapped;
    this.#registry = parts.registry;
    this.#lookup = parts.lookup;
    this.#embeddings = parts.embeddings;
    this.#predictions = parts.predictions;
  }

  /**
   * @param sources the graph and the `remapped` artifact of one job; of a task on whole graphs the rows are the graphs
   * @throws GnnError MANIFEST_INVALID when the two do not belong together, DATASET_FILE_MISSING
   */
  static async open(sources: {
    readonly graph: ArtifactDir;
    readonly remapped: ArtifactDir;
    readonly registry: Registry;
  }): Promise<ServedRows> {
    const { remapped, registry } = sources;
    const { component } = resolveTask(inferredTask.parse(remapped.manifest.info).task, registry);
    const graph = component.seeds === "graphs" ? graphsAsRows(sources.graph) : sources.graph;
    const lookup = await NodeLookup.open(graph);
    const { values, shape } = mapNpy(join(remapped.dir, "embeddings.npy"), "float32");
    const [numRows = 0, dim = 0] = shape;
    if (numRows !== lookup.numNodes) throw notTogether(numRows, lookup.numNodes);
    const columnsOf = await columnsOfTask({ graph, remapped, registry });
    const predictions = columnsOf && {
      logits: mapNpy(join(remapped.dir, "logits.npy"), "float32").values,
      columnsOf,
    };
    return new ServedRows({ graph, remapped, registry, lookup, embeddings: { values, dim }, predictions });
  }

  get numNodes(): number {
    return this.#lookup.numNodes;
  }

  get dim(): number {
    return this.#embeddings.dim;
  }

  /** Bytes of the files that are mapped and of what is kept beside them */
  get bytes(): number {
    const { values } = this.#embeddings;
    const norms = 4 * this.numNodes;
    return values.byteLength + (this.#predictions?.logits.byteLength ?? 0) + this.#lookup.bytes + norms;
  }

  /**
   * The nearest nodes, the nearest first; equally near ones in the order of the dataset.
   *
   * @throws GnnError NODE_UNKNOWN; SPEC_INVALID for a vector of another width, and a type or label that the graph lacks
   */
  async neighbors({ id, vector: given = [], k, metric, type, label }: NeighborsQuery): Promise<readonly Neighbor[]> {
    const { values, dim } = this.#embeddings;
    const own = id === undefined ? -1 : this.#rowOf(id);
    const vector = own < 0 ? this.#vectorOf(given) : values.slice(own * dim, (own + 1) * dim);
    if (!vector.every(Number.isFinite)) throw notFinite(own < 0);
    this.#search ??= NearestSearch.open(values, dim);
    const search = await this.#search;
    // One more, for the node itself is among those found.
    const wanted = Math.min(own < 0 ? k : k + 1, this.numNodes);
    const found = await search.find({ vector, k: wanted, metric, among: this.#groupOf(type, label) });
    const others = found.filter(({ row }) => row !== own).slice(0, k);
    return others.map(({ row, score }) => ({ id: this.#lookup.idAt(row), score }));
  }

  /**
   * What an export of predictions says of these nodes, with the same numbers.
   *
   * @throws GnnError NODE_UNKNOWN with the place of the id, SPEC_INVALID of a task that predicts nothing of nodes
   */
  predict(ids: readonly string[]): Prediction[] {
    const { logits, columnsOf } = this.#predictions ?? this.#nothing();
    const width = logits.length / Math.max(1, this.numNodes);
    return ids.map((id, at) => {
      const row = this.#rowOf(id, `/ids/${at}`);
      return valuesAt(columnsOf(row, logits.slice(row * width, (row + 1) * width)), 0);
    });
  }

  /**
   * What the same task says of other nodes.
   *
   * @param outputs float32 [numNodes, outDim], as the logits of a job
   * @throws GnnError SPEC_INVALID as `predict`
   */
  async predictionsOf(outputs: Float32Array, numNodes: number): Promise<Prediction[]> {
    if (!this.#predictions) this.#nothing();
    const columns = (await columnsOfUnknown(this.#remapped, this.#registry, outputs, numNodes)) ?? [];
    return Array.from({ length: numNodes }, (_, row) => valuesAt(columns, row));
  }

  /** @throws GnnError SPEC_INVALID of a task that predicts nothing of nodes */
  assertPredicts(): void {
    if (!this.#predictions) this.#nothing();
  }

  #nothing(): never {
    throw new GnnError(
      "SPEC_INVALID",
      "The model predicts nothing of single nodes; ask for their embeddings, or for the nearest nodes instead.",
    );
  }

  get predicts(): boolean {
    return this.#predictions !== null;
  }

  /** Embeddings of some nodes, float32 [dim] each. @throws GnnError NODE_UNKNOWN with the place of the id */
  embeddingsOf(ids: readonly string[]): readonly Float32Array[] {
    const { values, dim } = this.#embeddings;
    return ids.map((id, at) => {
      const row = this.#rowOf(id, `/ids/${at}`);
      return values.slice(row * dim, (row + 1) * dim);
    });
  }

  /** What is known of the classes that the model tells apart, in their order */
  get classes(): readonly string[] {
    return remappedInfo.parse(this.#remapped.manifest.info).classes;
  }

  idAt(row: number): string {
    return this.#lookup.idAt(row);
  }

  /** NodeIndex of an id, or −1 */
  rowOf(id: string): number {
    return this.#lookup.rowOf(id);
  }

  #rowOf(id: string, pointer = "/id"): number {
    const row = this.#lookup.rowOf(id);
    if (row >= 0) return row;
    throw new GnnError("NODE_UNKNOWN", `The graph has no node "${id.slice(0, 100)}".`, { place: { pointer } });
  }

  #vectorOf(numbers: readonly number[]): Float32Array {
    if (numbers.length === this.dim) return Float32Array.from(numbers);
    throw new GnnError("SPEC_INVALID", `The vector has ${numbers.length} numbers; the embeddings have ${this.dim}.`, {
      place: { pointer: "/vector" },
    });
  }

  #groupOf(type: string | undefined, label: string | undefined): RowGroup | undefined {
    if (type !== undefined) {
      const { nodeTypes } = graphInfo.parse(this.#graph.manifest.info);
      const path = join(this.#graph.dir, "nodes/type.npy");
      const wanted = placeIn(nodeTypes, type, "type of node", "/type");
      return existsSync(path) ? { groupOf: this.#codes(path), wanted } : undefined;
    }
    if (label === undefined) return undefined;
    const { classes } = remappedInfo.parse(this.#remapped.manifest.info);
    const wanted = placeIn(classes, label, "label", "/label");
    return { groupOf: this.#codes(join(this.#remapped.dir, "labels.npy")), wanted };
  }

  readonly #mapped = new Map<string, Int32Array>();

  /** One array for each file, so that queries with a group of one file are answered together. */
  #codes(path: string): Int32Array {
    const codes = this.#mapped.get(path) ?? mapNpy(path, "int32").values;
    this.#mapped.set(path, codes);
    return codes;
  }
}

function valuesAt(columns: readonly PredictionColumn[], row: number): Prediction {
  return Object.fromEntries(
    columns.map(({ name, values }) => {
      const value = values[row] ?? null;
      return [name, typeof value === "number" && Number.isNaN(value) ? null : value];
    }),
  );
}

function placeIn(known: readonly string[], asked: string, what: string, pointer: string): number {
  const place = known.indexOf(asked);
  if (place >= 0) return place;
  const some = known.slice(0, 20).join(", ");
  const expected = known.length === 0 ? "there is none" : `expected one of ${some}${known.length > 20 ? ", …" : ""}`;
  throw new GnnError("SPEC_INVALID", `There is no ${what} "${asked.slice(0, 100)}"; ${expected}.`, {
    place: { pointer },
  });
}

function notFinite(isGiven: boolean): GnnError {
  const whose = isGiven ? "The vector" : "The embedding of the node";
  return new GnnError("SPEC_INVALID", `${whose} holds what is no finite number of single precision.`, {
    place: { pointer: isGiven ? "/vector" : "/id" },
  });
}

function notTogether(numRows: number, numNodes: number): GnnError {
  const message = `There are ${numRows} rows of embeddings for ${numNodes} ids; graph and rows must come from one job.`;
  return new GnnError("MANIFEST_INVALID", message);
}
