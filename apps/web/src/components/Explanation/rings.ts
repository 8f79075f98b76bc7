export interface ExplainedEdge {
  readonly from: string;
  readonly to: string;
  readonly weight: number;
  /** Type of the edge; null: all edges of the graph are alike */
  readonly relation: string | null;
}

type EdgeEnds = Pick<ExplainedEdge, "from" | "to">;

export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Places the ends of edges in rings around a node, each ring a hop further from it; what no edge joins to it lies in
 * the outermost. Numbers from −1 to 1.
 */
export function rings(center: string, edges: readonly EdgeEnds[]): ReadonlyMap<string, Place> {
  const hops = hopsFrom(center, edges);
  const all = new Set([center, ...edges.flatMap(({ from, to }) => [from, to])]);
  const last = Math.max(1, ...hops.values()) + ([...all].every((id) => hops.has(id)) ? 0 : 1);
  const byRing = new Map<number, string[]>();
  for (const id of all) {
    const ring = hops.get(id) ?? last;
    byRing.set(ring, [...(byRing.get(ring) ?? []), id]);
  }
  const places = new Map<string, Place>();
  for (const [ring, ids] of byRing) {
    for (const [i, id] of ids.entries()) {
      // Rings begin at different angles, so that edges from ring to ring do not lie upon each other.
      const angle = (2 * Math.PI * i) / ids.length + ring / 2;
      const radius = ring / last;
      places.set(id, { id, x: radius * Math.cos(angle), y: radius * Math.sin(angle) });
    }
  }
  return places;
}

function hopsFrom(center: string, edges: readonly EdgeEnds[]): ReadonlyMap<string, number> {
  const hops = new Map([[center, 0]]);
  for (const [id, hop] of hops) {
    for (const { from, to } of edges) {
      const other = from === id ? to : to === id ? from : null;
      if (other !== null && !hops.has(other)) hops.set(other, hop + 1);
    }
  }
  return hops;
}
