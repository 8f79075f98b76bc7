/**
 * Which of `dim` columns says how many edges a node has: each number up to half of the columns has one of its own, and
 * the rest share four for every doubling; the last has all that are more. Nodes of any graph have a degree, so that
 * these columns mean the same in all of them.
 */
export function degreeColumn(degree: number, dim: number): number {
  const exact = Math.max(1, Math.floor(dim / 2));
  if (degree < exact) return degree;
  return Math.min(dim - 1, exact + Math.floor(4 * Math.log2(degree / exact)));
}
