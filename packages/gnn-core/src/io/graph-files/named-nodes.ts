import type { GraphRecord } from "./graph-record.ts";
import { graphRecord } from "./graph-record.ts";

/** The nodes of a file that lists them by naming them, each where it is named first. */
export class NamedNodes {
  readonly #known = new Set<string>();

  *named(name: string, line: number): Iterable<GraphRecord> {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    yield graphRecord("nodes", line, [name], []);
  }
}
