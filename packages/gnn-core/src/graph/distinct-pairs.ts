/** Pairs that were there before; of an undirected graph a pair and its reverse are one. */
export class DistinctPairs {
  readonly #directed: boolean;
  readonly #seen = new Map<number, Set<number>>();

  constructor(directed: boolean) {
    this.#directed = directed;
  }

  /** @returns whether the pair is new */
  add(from: number, to: number): boolean {
    const turned = !this.#directed && from > to;
    const [a, b] = turned ? [to, from] : [from, to];
    const others = this.#seen.get(a) ?? new Set<number>();
    this.#seen.set(a, others);
    if (others.has(b)) return false;
    others.add(b);
    return true;
  }
}
