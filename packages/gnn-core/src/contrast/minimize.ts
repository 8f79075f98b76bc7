/** A function's value and its gradient at some point. */
export interface ValueAndGradient {
  readonly value: number;
  readonly gradient: Float64Array;
}

const remembered = 10;
const sufficientDecrease = 1e-4;
const mostHalvings = 20;
/** A decrease by less than this share of the value ends the search: float32 sums tell no finer. */
const leastDecrease = 1e-7;

/**
 * The least value of a smooth convex function, by L-BFGS: quasi-Newton directions from the last ten steps, each step
 * halved until the value has fallen enough (Nocedal and Wright 2006, algorithms 7.4 and 3.1). Nothing is drawn.
 *
 * @returns the point reached after `iterations` steps, or before where the value falls no more
 */
export function minimize(
  start: Float64Array,
  iterations: number,
  at: (point: Float64Array) => ValueAndGradient,
): Float64Array {
  const steps: { readonly s: Float64Array; readonly y: Float64Array; readonly rho: number }[] = [];
  let point = start;
  let here = at(point);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = descentOf(here.gradient, steps);
    const next = lineSearch(point, here, direction, at);
    if (!next) return point;
    const [s, y] = [difference(next.point, point), difference(next.found.gradient, here.gradient)];
    const curvature = dot(s, y);
    if (curvature > 0) steps.push({ s, y, rho: 1 / curvature });
    if (steps.length > remembered) steps.shift();
    const decrease = here.value - next.found.value;
    point = next.point;
    here = next.found;
    if (decrease <= leastDecrease * Math.abs(here.value)) return point;
  }
  return point;
}

/** −H·gradient, H the inverse Hessian as the steps tell it (two-loop recursion). */
function descentOf(
  gradient: Float64Array,
  steps: readonly { readonly s: Float64Array; readonly y: Float64Array; readonly rho: number }[],
): Float64Array {
  const q = gradient.map((value) => -value);
  const alphas = new Float64Array(steps.length);
  for (let i = steps.length - 1; i >= 0; i--) {
    const { s, y, rho } = steps[i] as (typeof steps)[number];
    alphas[i] = rho * dot(s, q);
    addScaled(q, y, -(alphas[i] as number));
  }
  const last = steps.at(-1);
  if (last) {
    const scale = 1 / (last.rho * dot(last.y, last.y));
    for (let i = 0; i < q.length; i++) q[i] = (q[i] as number) * scale;
  }
  for (const [i, { s, y, rho }] of steps.entries()) addScaled(q, s, (alphas[i] as number) - rho * dot(y, q));
  return q;
}

function lineSearch(
  point: Float64Array,
  { value, gradient }: ValueAndGradient,
  direction: Float64Array,
  at: (point: Float64Array) => ValueAndGradient,
): { readonly point: Float64Array; readonly found: ValueAndGradient } | null {
  const slope = dot(gradient, direction);
  if (!(slope < 0)) return null;
  for (let halvings = 0, size = 1; halvings < mostHalvings; halvings++, size /= 2) {
    const next = point.slice();
    addScaled(next, direction, size);
    const found = at(next);
    if (found.value <= value + sufficientDecrease * size * slope) return { point: next, found };
  }
  return null;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function addScaled(into: Float64Array, other: Float64Array, scale: number): void {
  for (let i = 0; i < into.length; i++) into[i] = (into[i] as number) + scale * (other[i] as number);
}

function difference(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value - (b[i] as number));
}
