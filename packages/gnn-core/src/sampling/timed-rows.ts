/**
 * Rows of a batch, each a node at a time, numbered as they come. The same node at another time is another row: what it
 * may know differs, and a row that seeds of several times shared would tell the early ones of what came later.
 */
export class TimedRows {
  readonly #placeOfTime = new Map<number, number>();
  readonly #rowOf = new Map<number, number>();
  readonly #nodes: number[] = [];
  readonly #times: number[] = [];

  /** @param times all times of the batch */
  constructor(times: Float64Array) {
    for (const time of times) if (!this.#placeOfTime.has(time)) this.#placeOfTime.set(time, this.#placeOfTime.size);
  }

  get length(): number {
    return this.#nodes.length;
  }

  nodeAt(row: number): number {
    return this.#nodes[row] as number;
  }

  timeAt(row: number): number {
    return this.#times[row] as number;
  }

  /** The row of a node at a time, a new one if there is none */
  rowOf(node: number, time: number): number {
    const key = node * this.#placeOfTime.size + (this.#placeOfTime.get(time) as number);
    const known = this.#rowOf.get(key);
    if (known !== undefined) return known;
    const row = this.#nodes.length;
    this.#rowOf.set(key, row);
    this.#nodes.push(node);
    this.#times.push(time);
    return row;
  }

  /** GlobalId of every row, int32 [rows] */
  nodes(): Int32Array {
    return Int32Array.from(this.#nodes);
  }

  /** Time of every row, float64 [rows] */
  times(): Float64Array {
    return Float64Array.from(this.#times);
  }
}
