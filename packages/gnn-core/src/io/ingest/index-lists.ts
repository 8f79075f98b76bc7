import type { NodesSection } from "../dataset-spec.ts";
import { readIndices } from "../list-cells.ts";
import { saysMissing } from "../missing-words.ts";
import { GrowableInt32 } from "./growable.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";

/** Lists of indices of several rows, one behind the other */
export interface IndexLists {
  readonly lengths: Int32Array;
  /** Those of a row in ascending order, none twice */
  readonly indices: Int32Array;
}

/** The column of lists of indices that become features of 0 and 1; null: there is none */
export function multiHotName({ features }: NodesSection): string | null {
  return features && "columns" in features ? (features.multiHot ?? null) : null;
}

/** Reads the cells of such a column, batch by batch. */
export class MultiHotCells {
  readonly #field: string;
  /** How many features there are; null: as many as the largest index says */
  readonly #width: number | null;
  #numWithout = 0;
  #numRepeated = 0;

  constructor(section: NodesSection, field: string) {
    const { features } = section;
    const widths = features && "columns" in features ? features.widths : {};
    this.#field = field;
    this.#width = Object.hasOwn(widths, field) ? (widths[field] as number) : null;
  }

  /** @throws GnnError DATASET_VALUE_INVALID naming the row whose list has what is no index */
  async read(batch: PlacedBatch, cells: readonly (string | null)[]): Promise<IndexLists> {
    const lengths = new Int32Array(batch.numRows);
    const indices = new GrowableInt32();
    for (let row = 0; row < batch.numRows; row++) {
      const cell = cells[row] ?? "";
      if (cell.trim() === "" || saysMissing(cell)) {
        this.#numWithout++;
        continue;
      }
      const list = readIndices(cell);
      if (!(list instanceof Int32Array)) throw await this.#noIndex(batch, row, list.text, list.position);
      const beyond = this.#width === null ? -1 : list.findIndex((index) => index >= this.#width!);
      if (beyond >= 0) throw await this.#noIndex(batch, row, String(list[beyond]), beyond + 1);
      lengths[row] = addOnce(list.toSorted(), indices);
      if (lengths[row]! < list.length) this.#numRepeated++;
    }
    return { lengths, indices: indices.values };
  }

  /** What was found, in sentences. */
  notes(): string[] {
    const [without, repeated] = [this.#numWithout, this.#numRepeated];
    return [
      ...(without > 0
        ? [
            `${without} ${without === 1 ? "node has" : "nodes have"} no list in "${this.#field}": all features of it are 0 there.`,
          ]
        : []),
      ...(repeated > 0
        ? [`${repeated} ${repeated === 1 ? "list" : "lists"} of "${this.#field}" name an index twice: it counts once.`]
        : []),
    ];
  }

  #noIndex(batch: PlacedBatch, row: number, text: string, position: number): Promise<Error> {
    const end = this.#width === null ? "" : ` to ${this.#width - 1}`;
    const message = `"${text.slice(0, 80)}", number ${position} of the list, is no index of a feature; expected whole numbers from 0${end || " on"}. Correct it, or leave the column out.`;
    return errorAt("DATASET_VALUE_INVALID", batch, row, this.#field, message);
  }
}

/** Adds the numbers of a sorted list, each once. @returns how many these are */
function addOnce(sorted: Int32Array, to: GrowableInt32): number {
  let added = 0;
  for (const [i, index] of sorted.entries()) {
    if (i > 0 && sorted[i - 1] === index) continue;
    to.push(index);
    added++;
  }
  return added;
}
