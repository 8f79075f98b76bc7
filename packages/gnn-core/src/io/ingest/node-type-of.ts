import { labelsIn, type NodeTypeRule } from "../node-type-rule.ts";

/** What nodes with several labels became, and how many of them have each combination. */
export interface TypeCombination {
  /** In the order of their names */
  readonly labels: readonly string[];
  readonly type: string;
  readonly count: number;
}

/**
 * Maps nodes with several labels to one type, by the rule of the spec:
 *
 *   map, if it has the combination  →  the first of `prefer` that the node has  →  its first label
 */
export class NodeTypeOf {
  readonly #rule: NodeTypeRule | null;
  readonly #mapped: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, { labels: string[]; counts: Map<string, number> }>();

  /** @param rule null: a cell is a type as it stands */
  constructor(rule: NodeTypeRule | null) {
    this.#rule = rule;
    const entries = Object.entries(rule?.map ?? {});
    this.#mapped = new Map(entries.map(([cell, type]) => [keyOf(labelsIn(cell, rule?.separator ?? "")), type]));
  }

  /** The type that a cell says; empty: none */
  typeOf(cell: string): string {
    if (this.#rule === null) return cell;
    const labels = labelsIn(cell, this.#rule.separator);
    const [first = ""] = labels;
    const key = keyOf(labels);
    const type = this.#mapped.get(key) ?? this.#rule.prefer.find((label) => labels.includes(label)) ?? first;
    if (labels.length > 1) this.#count(key, labels, type);
    return type;
  }

  /** The most frequent first; those of which there are as many by their names */
  get combinations(): readonly TypeCombination[] {
    return [...this.#counts.entries()]
      .flatMap(([key, { labels, counts }]) => [...counts].map(([type, count]) => ({ key, labels, type, count })))
      .toSorted((a, b) => b.count - a.count || compare(a.key, b.key) || compare(a.type, b.type))
      .map(({ labels, type, count }) => ({ labels, type, count }));
  }

  #count(key: string, labels: readonly string[], type: string): void {
    const known = this.#counts.get(key) ?? { labels: labels.toSorted(compare), counts: new Map<string, number>() };
    known.counts.set(type, (known.counts.get(type) ?? 0) + 1);
    this.#counts.set(key, known);
  }
}

/** Alike for the same labels in another order */
function keyOf(labels: readonly string[]): string {
  return JSON.stringify(labels.toSorted(compare));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
