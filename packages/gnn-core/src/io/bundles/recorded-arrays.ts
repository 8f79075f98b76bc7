import type { ArchiveMember } from "../archives/archive.ts";
import type { NpyMember } from "./npy-member.ts";
import type { NamedArrays, NodeTable } from "./numpy-arrays.ts";

/** What a matrix says of itself is read only where it has to be, and is nothing that one could miss. */
const saysOfMatrix = /(^|_)(format|shape)$/;
const mostNamed = 10;

/** Arrays that remember which of them were taken, so that a file can say what it holds in vain. */
export class RecordedArrays implements NamedArrays {
  readonly names: readonly string[];
  readonly nodes?: NodeTable;
  readonly #arrays: NamedArrays;
  readonly #taken = new Set<string>();

  constructor(arrays: NamedArrays) {
    this.names = arrays.names;
    if (arrays.nodes) this.nodes = arrays.nodes;
    this.#arrays = arrays;
  }

  open(name: string): Promise<NpyMember> {
    this.#taken.add(name);
    return this.#arrays.open(name);
  }

  memberOf(name: string): ArchiveMember {
    this.#taken.add(name);
    return this.#arrays.memberOf(name);
  }

  /** An array that was opened is none of those that are looked for. */
  leave(name: string): void {
    this.#taken.delete(name);
  }

  close(): void {
    this.#arrays.close();
  }

  /** The arrays that nobody took, as a note; null: there is none. */
  note(): string | null {
    const untaken = this.#arrays.untaken?.(this.#taken) ?? this.names.filter((name) => !this.#taken.has(name));
    const left = untaken.filter((name) => !saysOfMatrix.test(name));
    if (left.length === 0) return null;
    const named = `${left.slice(0, mostNamed).join(", ")}${left.length > mostNamed ? `, and ${left.length - mostNamed} more` : ""}`;
    const are = left.length === 1 ? `the array ${named} is` : `the arrays ${named} are`;
    const known = this.#arrays.calledThere ?? "edge_index, src and dst or adj, weight, x, y, train_mask";
    return `${are} left out: what is read of a graph is called as ${known}.`;
  }
}
