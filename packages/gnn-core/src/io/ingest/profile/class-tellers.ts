/** A column with more values than this is not looked at further. */
const maxValues = 1000;

/**
 * Finds number columns that give the class away: nodes of one value are always of one class. Trained on such a column a
 * model only repeats it, and the figures look better than they will be. Sides of a split are told in the same way: a
 * column that knows them has seen what was to be held out.
 */
export class ClassTellers {
  /** By column: the class of each value; null once a value has two classes, or there are too many values */
  readonly #classes: (Map<number, number> | null)[];
  #numLabelled = 0;

  constructor(numColumns: number) {
    this.#classes = Array.from({ length: numColumns }, () => new Map());
  }

  /** @param labels class of each row, -1 = not known */
  add(columns: readonly Float64Array[], labels: Int32Array): void {
    for (const label of labels) this.#numLabelled += label >= 0 ? 1 : 0;
    this.#classes.forEach((_, column) => {
      const values = columns[column];
      if (values) this.#addColumn(column, values, labels);
    });
  }

  #addColumn(column: number, values: Float64Array, labels: Int32Array): void {
    const classes = this.#classes[column];
    if (!classes) return;
    for (let row = 0; row < labels.length; row++) {
      const label = labels[row]!;
      if (label < 0) continue;
      const value = values[row]!;
      const known = classes.get(value);
      if (known === undefined) classes.set(value, label);
      if ((known !== undefined && known !== label) || classes.size > maxValues) {
        this.#classes[column] = null;
        return;
      }
    }
  }

  /**
   * Indices of the columns that tell the class. Where most values occur once, a class for each says nothing: such
   * columns are not among them, nor is any when all nodes are of one class.
   */
  finish(): number[] {
    return this.#classes.flatMap((classes, column) => {
      if (!classes || 2 * classes.size > this.#numLabelled) return [];
      return new Set(classes.values()).size > 1 ? [column] : [];
    });
  }
}
