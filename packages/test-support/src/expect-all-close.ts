import { AssertionError } from "node:assert";

export interface Tolerance {
  readonly relative?: number;
  readonly absolute?: number;
}

/**
 * Passes when |actual − expected| ≤ absolute + relative · |expected| for every element, as numpy's allclose; NaN
 * equals NaN. The message names the worst element.
 */
export function expectAllClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  { relative = 1e-5, absolute = 1e-8 }: Tolerance = {},
): void {
  if (actual.length !== expected.length) {
    throw new AssertionError({ message: `${actual.length} elements; expected ${expected.length}` });
  }
  let worst = -1;
  let worstExcess = 0;
  for (let i = 0; i < actual.length; i++) {
    const found = actual[i]!;
    const wanted = expected[i]!;
    if (Object.is(found, wanted) || found === wanted) continue;
    const excess = Math.abs(found - wanted) - (absolute + relative * Math.abs(wanted));
    if (Number.isNaN(excess) || excess > worstExcess)
      [worst, worstExcess] = [i, Number.isNaN(excess) ? Infinity : excess];
  }
  if (worst < 0) return;
  throw new AssertionError({
    message: `element ${worst} is ${actual[worst]}; expected ${expected[worst]} (absolute ${absolute}, relative ${relative})`,
    actual: actual[worst],
    expected: expected[worst],
  });
}
