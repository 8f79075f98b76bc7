import { newRowArray, type RowArray, type RowDtype } from "../partition/row-schema.ts";

/** One array without a copy when there is only one. */
export function joined<D extends RowDtype>(dtype: D, arrays: readonly RowArray<D>[]): RowArray<D> {
  if (arrays.length === 1) return arrays[0] as RowArray<D>;
  const whole = newRowArray(
    dtype,
    arrays.reduce((sum, { length }) => sum + length, 0),
  );
  let offset = 0;
  for (const array of arrays) {
    (whole as { set(values: unknown, at: number): void }).set(array, offset);
    offset += array.length;
  }
  return whole;
}
