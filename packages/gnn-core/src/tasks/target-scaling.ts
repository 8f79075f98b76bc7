import type { NodeTargets } from "../graph/node-targets.ts";
import type { OutputScaling } from "./output-scaling.ts";

/**
 * Mean and population deviation of each target over the training nodes that know it, in two passes of float64. A
 * target that never varies, or is never known, has deviation 1.
 */
export function fitTargetScaling({ names, values }: NodeTargets, nodes: Int32Array): OutputScaling {
  const width = names.length;
  const known = (column: number) =>
    Array.from(nodes, (node) => values[node * width + column] as number).filter((value) => !Number.isNaN(value));
  const fitted = names.map((_, column) => {
    const targets = known(column);
    if (targets.length === 0) return { mean: 0, scale: 1 };
    const mean = targets.reduce((sum, value) => sum + value, 0) / targets.length;
    const squares = targets.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, scale: Math.sqrt(squares / targets.length) || 1 };
  });
  return { mean: fitted.map(({ mean }) => mean), scale: fitted.map(({ scale }) => scale) };
}

/** Outputs that are predictions as they are. */
export function noScaling(numTargets: number): OutputScaling {
  const columns = Array.from({ length: numTargets });
  return { mean: columns.map(() => 0), scale: columns.map(() => 1) };
}
