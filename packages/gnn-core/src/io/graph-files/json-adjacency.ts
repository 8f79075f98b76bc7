type Ends = readonly [source: string, target: string];

/**
 * The neighbours of networkx's adjacency_data: the list at a place is that of the node at this place. A graph without
 * directions names each edge at both of its ends, and is to have it once.
 */
export class JsonAdjacency {
  readonly #ids: string[] = [];
  readonly #places = new Map<string, number>();

  addNode(id: string): void {
    this.#places.set(id, this.#ids.length);
    this.#ids.push(id);
  }

  /** @returns null: the edge is named by its other end; undefined: the list or the node is not there */
  endsOf(place: number, neighbour: string, isDirected: boolean): Ends | null | undefined {
    const source = this.#ids[place];
    const other = this.#places.get(neighbour);
    if (source === undefined || other === undefined) return undefined;
    return isDirected || place <= other ? [source, neighbour] : null;
  }
}
