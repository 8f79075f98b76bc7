/** How far METIS has come: it makes the graph smaller level by level, cuts the smallest, then refines back. */
export interface MetisLevel {
  readonly phase: "coarsen" | "refine";
  /** Nodes of the graph at this level */
  readonly nodes: number;
}

// "   1000000   31415926   … [80] [ …": nodes, adjacency entries, sum of weights, nodes to coarsen down to.
const coarseGraph = /^\s*(\d+)\s+\d+\s+\d+\s+\[\d+\]/;
// "GRC: [ …]-[ …], Bal: 1.030, Nv-Nb[1000000  12345], Cut: …"
const refinement = /Nv-Nb\[\s*(\d+)/;

/** What the process of METIS took until it had its parts. */
export interface MetisUsage {
  readonly cpuSeconds: number;
  /** Largest resident size, its copy of the graph included */
  readonly peakBytes: number;
}

/** Reads the line that the process prints at its end; null for any other. */
export function metisUsage(line: string): MetisUsage | null {
  const found = /^usage ([\d.]+) (\d+)$/.exec(line);
  return found && { cpuSeconds: Number(found[1]), peakBytes: Number(found[2]) };
}

/** Reads a line that METIS prints of its levels; null for any other. */
export function metisLevel(line: string): MetisLevel | null {
  const coarse = coarseGraph.exec(line);
  if (coarse) return { phase: "coarsen", nodes: Number(coarse[1]) };
  const refined = refinement.exec(line);
  return refined ? { phase: "refine", nodes: Number(refined[1]) } : null;
}
