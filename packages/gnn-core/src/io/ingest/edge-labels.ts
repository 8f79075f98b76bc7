import type { EdgesSection } from "../dataset-spec.ts";
import { usualMissingLabels } from "../missing-labels.ts";
import type { PlainColumn } from "../wanted-column.ts";
import { GrowableFloat32, GrowableInt32 } from "./growable.ts";
import type { LinkColumns } from "./link-columns.ts";
import type { ProfiledColumn } from "./profile/table-profile.ts";
import { TextCodes } from "./text-codes.ts";

/** What is to be predicted of edges, by row of the files that is an edge. */
export interface EdgeLabels {
  /** Provisional class codes, -1 = not known; empty: no column of classes was mapped */
  readonly labels: Int32Array;
  readonly classes: TextCodes;
  readonly targetNames: readonly string[];
  /** float32 [rows, targetNames.length]; NaN = not known */
  readonly targets: Float32Array;
  /** Where only the rows of one relation are labelled; left out: all rows of the files, in their order, are */
  readonly relation?: LabelledRows;
}

/** The rows of the relation that is labelled, among those of all relations */
export interface LabelledRows {
  readonly firstRow: number;
  readonly links: LinkColumns;
  /** Whether its ends say something by their order: it does not go both ways */
  readonly directed: boolean;
}

/** Whether a class or a number of the edges is to be predicted. */
export function hasEdgeLabels({ label, targets }: Pick<EdgesSection, "label" | "targets">): boolean {
  return label !== undefined || targets !== undefined;
}

const missingWords = new Set(usualMissingLabels);

/** Collects the classes and numbers of the rows that are edges. */
export class EdgeLabelReading {
  readonly #spec: EdgesSection;
  readonly #labels = new GrowableInt32();
  readonly #classes = new TextCodes();
  readonly #targets = new GrowableFloat32();

  constructor(spec: EdgesSection) {
    this.#spec = spec;
  }

  /** Columns to be read, in the order of `add`. */
  static columnsOf({ label, targets = [] }: EdgesSection): readonly ProfiledColumn<PlainColumn>[] {
    return [
      ...(label === undefined
        ? []
        : [{ name: label, as: "text" as const, role: "label", missingWords: usualMissingLabels }]),
      ...targets.map((name) => ({ name, as: "number" as const, role: "target" })),
    ];
  }

  /**
   * @param cells of the row, in the order of `columnsOf`
   * @returns what is wrong with a cell, by its column; null: nothing
   */
  add(
    cells: readonly (string | number | null | undefined)[],
  ): { readonly column: string; readonly found: string } | null {
    const { label, targets = [] } = this.#spec;
    const numbers = label === undefined ? cells : cells.slice(1);
    if (label !== undefined) {
      const text = String(cells[0] ?? "").trim();
      this.#labels.push(text === "" || missingWords.has(text) ? -1 : this.#classes.codeOf(text));
    }
    for (const [i, column] of targets.entries()) {
      const value = Math.fround(Number(numbers[i] ?? Number.NaN));
      if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
        const found = "the target is infinite, or does not fit float32; leave it empty when it is not known.";
        return { column, found };
      }
      this.#targets.push(value);
    }
    return null;
  }

  /** null: nothing of the edges is to be predicted */
  finish(): EdgeLabels | null {
    if (!hasEdgeLabels(this.#spec)) return null;
    return {
      labels: this.#labels.values,
      classes: this.#classes,
      targetNames: this.#spec.targets ?? [],
      targets: this.#targets.values,
    };
  }
}
