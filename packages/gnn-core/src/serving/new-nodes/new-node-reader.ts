import { GnnError } from "../../errors/gnn-error.ts";
import type { CscGraph } from "../../graph/csc-graph.ts";
import { type DatasetSpec, datasetSpec } from "../../io/dataset-spec.ts";
import { type GraphInfo, graphInfo } from "../../io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../../io/manifest.ts";
import type { TypesOfModel } from "../../spec/types-of-model.ts";
import { mostNewNodes } from "../stored-graph.ts";
import { withoutLearnedRow } from "./applicable-model.ts";
import { featureNames } from "./feature-names.ts";
import { type FeatureReader, featureReader } from "./feature-reader.ts";
import { type EdgeRules, type NewEdges, newEdges } from "./new-edges.ts";
import type { NewNode } from "./new-node.ts";
import { relationsOfEdges, relationsOfModel } from "./relations-of-edges.ts";
import { RowsById } from "./rows-by-id.ts";
import { type TypesOfNodes, typesOfNodes } from "./types-of-nodes.ts";

/** New nodes as the ingest of their dataset would have read them */
export interface ReadNodes {
  /** int32 [n], of each: an index into the graph's types of nodes */
  readonly types: Int32Array;
  readonly edges: NewEdges;
  /** float32 [n, dim] */
  readonly features: Float32Array;
}

/** Reads new nodes by the rules of the dataset that a stored graph was made of. */
export class NewNodeReader {
  readonly #facts: GraphInfo;
  readonly #spec: DatasetSpec;
  readonly #features: FeatureReader;
  readonly #edges: EdgeRules;
  readonly #types: TypesOfNodes;
  readonly #stored: CscGraph;
  readonly #typeCodes: Int32Array | null;
  readonly #hasLearnedRows: boolean;

  /**
   * @param graph  its manifest has the dataset's spec
   * @param stored  that graph as models see it
   * @param typeCodes  int32 [numNodes] as the graph has them, −1 = not known; null: it has none
   * @param hasLearnedRows  whether the model has a row for each node of a type without features
   * @param types  as the model counts them in `stored` and `typeCodes`; null: as the graph does
   */
  constructor(
    { manifest }: ArtifactDir,
    stored: CscGraph,
    {
      typeCodes,
      hasLearnedRows,
      types,
    }: {
      readonly typeCodes: Int32Array | null;
      readonly hasLearnedRows: boolean;
      readonly types: TypesOfModel | null;
    },
  ) {
    const facts = graphInfo.parse(manifest.info);
    this.#facts = { ...facts, ...(types && { nodeTypes: [...types.nodes], edgeTypes: [...types.edges] }) };
    this.#spec = datasetSpec.parse(manifest.options);
    this.#features = featureReader(this.#facts, this.#spec);
    this.#types = typesOfNodes(this.#facts, this.#spec, stored.nodeTypes);
    this.#stored = stored;
    this.#typeCodes = typeCodes;
    this.#hasLearnedRows = hasLearnedRows;
    const { edges, relations } = this.#spec;
    this.#edges = {
      spec: this.#spec,
      hasWeights: stored.parts[0]?.weights != null,
      relations: relationsOfModel(relationsOfEdges(facts, this.#spec), facts, types),
      areNamed: relations !== null || (edges?.type ?? null) !== null,
      edgeTypes: this.#facts.edgeTypes,
    };
  }

  /** Columns of the features */
  get dim(): number {
    return this.#features.dim;
  }

  get featureNames(): readonly string[] {
    return featureNames(this.#facts, this.#spec);
  }

  /**
   * @param rowOf NodeIndex of a known id, or −1
   * @throws GnnError SPEC_INVALID, NODE_UNKNOWN, NODE_EXISTS, NODE_TOO_COSTLY with the place in the list
   */
  read(nodes: readonly NewNode[], rowOf: (id: string) => number): ReadNodes {
    if (nodes.length > mostNewNodes) {
      const message = `${nodes.length} new nodes; expected ${mostNewNodes} at most. Ask for fewer of them at once.`;
      throw new GnnError("NODE_TOO_COSTLY", message, { place: { pointer: "/nodes" } });
    }
    const { numNodes } = this.#stored;
    const typeAt = (row: number) => this.#typeCodes?.[row] ?? -1;
    const rows = new RowsById(nodes, { numNodes, rowOf, types: this.#types, typeAt });
    for (const [at, type] of rows.types.entries()) this.#requireFeatures(type, at);
    const edges = newEdges(nodes, rows, this.#edges);
    const { dim } = this;
    const features = new Float32Array(nodes.length * dim);
    for (const [at, node] of nodes.entries()) {
      const row = features.subarray(at * dim, (at + 1) * dim);
      this.#features.read(node.features, at, rows.types[at] as number, row);
    }
    return { types: rows.types, edges, features };
  }

  #requireFeatures(type: number, at: number): void {
    if (!this.#hasLearnedRows || this.#stored.nodeTypes?.columns?.[type]?.dim !== 0) return;
    throw withoutLearnedRow(this.#types.names[type] as string, at);
  }
}
