import { join } from "node:path";
import { type NpyArrayOf, type WrittenArray, writeNpy } from "../../io/npy.ts";
import type { NpyDtype } from "../../io/npy-header.ts";

/** Writes arrays as `.npy` files of one artifact and lists them for its manifest. */
export class ArrayWriter {
  readonly #dir: string;
  readonly written: WrittenArray[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * @param stem  the file's name without `.npy`
   * @param width of a row; left out: the array is a list
   * @returns     the blob's name
   */
  async write<T extends NpyDtype>(stem: string, dtype: T, values: NpyArrayOf[T], width?: number): Promise<string> {
    const name = `${stem}.npy`;
    const shape = width === undefined ? [values.length] : [width > 0 ? values.length / width : 0, width];
    await writeNpy(join(this.#dir, name), dtype, shape, values);
    this.written.push({ name, dtype, shape });
    return name;
  }
}
