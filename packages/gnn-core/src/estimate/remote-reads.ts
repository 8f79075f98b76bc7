/** What the formula knows of a partition: numbers of the partition report. */
export interface CutGraph {
  readonly numParts: number;
  readonly numNodes: number;
  readonly numEdges: number;
  /** Share of the in-edges whose ends lie in different parts */
  readonly edgeCut: number;
}

/** Nodes that entered a batch at the same hop, and the share of their in-neighbours that they have not drawn yet. */
interface Cohort {
  readonly local: number;
  readonly remote: number;
  undrawn: number;
}

/**
 * Distinct rows of other parts that one rank is expected to read per training step, when every rank owns one part and a
 * node draws at most `fanouts[h]` of its in-neighbours at hop h, without replacement.
 *
 * With d̄ = mean in-degree, c = edgeCut, a = min(fanout, d̄), I = nodes of a part, O = all others, and L, R = distinct
 * nodes of a batch inside and outside the part, from L = seeds, R = 0 hop by hop:
 *
 *   l = a Σ_j u_j L_j,  r = a Σ_j u_j R_j                              neighbours drawn for the first time
 *   L ← I (1 − (1 − L / I) exp(−(l (1 − c) + r c / (k − 1)) / I))
 *   R ← O (1 − (1 − R / O) exp(−(l c + r (1 − c / (k − 1))) / O))
 *
 * where L_j, R_j are the nodes that entered at hop j, and u_j the share of their neighbours that they have not drawn at
 * an earlier hop: it starts at 1 and loses the factor 1 − a / d̄ with each. Draws fall on random nodes of either side,
 * so nodes met twice count once. Close to the mean in a large graph whose nodes are alike; where few nodes have most
 * edges, they are met more often and fewer rows are read.
 *
 * @param seedsPerRank seeds of one rank in a step
 * @param fanouts      -1 takes all in-neighbours
 */
export function expectedRemoteReads(graph: CutGraph, seedsPerRank: number, fanouts: readonly number[]): number {
  const { numParts, numNodes, numEdges, edgeCut } = graph;
  if (numParts < 2 || numEdges === 0) return 0;
  const meanDegree = numEdges / numNodes;
  const inside = numNodes / numParts;
  const outside = numNodes - inside;
  const comesBack = edgeCut / (numParts - 1);
  let local = Math.min(seedsPerRank, inside);
  let remote = 0;
  const cohorts: Cohort[] = [{ local, remote, undrawn: 1 }];
  for (const fanout of fanouts) {
    const drawn = fanout < 0 ? meanDegree : Math.min(fanout, meanDegree);
    const localDraws = drawn * cohorts.reduce((sum, cohort) => sum + cohort.undrawn * cohort.local, 0);
    const remoteDraws = drawn * cohorts.reduce((sum, cohort) => sum + cohort.undrawn * cohort.remote, 0);
    for (const cohort of cohorts) cohort.undrawn *= 1 - drawn / meanDegree;
    const before = { local, remote };
    local = met(inside, local, localDraws * (1 - edgeCut) + remoteDraws * comesBack);
    remote = met(outside, remote, localDraws * edgeCut + remoteDraws * (1 - comesBack));
    cohorts.push({ local: local - before.local, remote: remote - before.remote, undrawn: 1 });
  }
  return remote;
}

/** Distinct nodes of `all` after so many random draws, when `known` of them were met before. */
function met(all: number, known: number, draws: number): number {
  return all * (1 - (1 - known / all) * Math.exp(-draws / all));
}
