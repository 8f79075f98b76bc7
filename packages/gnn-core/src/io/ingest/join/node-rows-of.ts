import { GnnError } from "../../../errors/gnn-error.ts";
import type { IdIndex } from "../id-index.ts";
import { idOf } from "../id-warnings.ts";
import { errorAt, type FoundPlace, type PlacedBatch, placeIn } from "../ingest-context.ts";

/** How the rows of a table that is joined find their nodes */
export interface RowRules {
  /** The column of ids */
  readonly id: string;
  readonly unknown?: "error" | "drop" | undefined;
  readonly repeatedIds?: "error" | "last" | undefined;
}

/** Which node each row of a table is about, by its id; a row that is about none, or is a second one, is refused. */
export class NodeRowsOf {
  readonly #ids: IdIndex;
  readonly #rules: RowRules;
  readonly #seen: Uint8Array;
  #numSeen = 0;
  #numUnknown = 0;
  #firstUnknown: { readonly id: string; readonly place: FoundPlace } | null = null;

  constructor(ids: IdIndex, rules: RowRules) {
    this.#ids = ids;
    this.#rules = rules;
    this.#seen = new Uint8Array(ids.size);
  }

  /** Nodes that have a row */
  get numSeen(): number {
    return this.#numSeen;
  }

  /** Rows whose ids are not among the nodes */
  get numUnknown(): number {
    return this.#numUnknown;
  }

  /**
   * The node of each row of the batch, -1 for rows that are about none.
   *
   * @throws GnnError DATASET_VALUE_INVALID of an empty id, DATASET_DUPLICATE of a second row
   */
  async nodesOf(batch: PlacedBatch, ids: readonly (string | null)[]): Promise<Int32Array> {
    const nodes = new Int32Array(batch.numRows).fill(-1);
    for (let row = 0; row < batch.numRows; row++) {
      const id = idOf(ids[row]!);
      if (id === "") throw await errorAt("DATASET_VALUE_INVALID", batch, row, this.#rules.id, "the id is empty.");
      const node = this.#ids.indexOf(id);
      if (node < 0) await this.#miss(batch, row, id);
      else if (this.#seen[node] === 0) {
        this.#seen[node] = 1;
        this.#numSeen++;
      } else if (this.#rules.repeatedIds !== "last") {
        const message = `the id ${JSON.stringify(id)} is there a second time; every node has one row here. Write what its rows say into one, or set repeatedIds of the nodes to last: a later row then replaces the earlier ones.`;
        throw await errorAt("DATASET_DUPLICATE", batch, row, this.#rules.id, message);
      }
      nodes[row] = node;
    }
    return nodes;
  }

  /** To be called behind the last row. @throws GnnError DATASET_NODE_UNKNOWN of the first that is about no node */
  finish(): void {
    if (!this.#firstUnknown) return;
    const { id, place } = this.#firstUnknown;
    const { file, line } = place;
    const others = this.#numUnknown - 1;
    const more =
      others === 0 ? "" : others === 1 ? ", nor is that of another row" : `, nor are those of ${others} other rows`;
    const message = `${file}, line ${line}, column "${this.#rules.id}": ${JSON.stringify(id)} is not among the ids of the nodes${more}. Add the nodes, remove the rows, or set unknown to drop: such rows are then left out.`;
    throw new GnnError("DATASET_NODE_UNKNOWN", message, { place: { file, line, field: this.#rules.id } });
  }

  async #miss(batch: PlacedBatch, row: number, id: string): Promise<void> {
    this.#numUnknown++;
    if (this.#firstUnknown || this.#rules.unknown === "drop") return;
    this.#firstUnknown = { id, place: await placeIn(batch, row, this.#rules.id) };
  }
}
