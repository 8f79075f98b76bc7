/** Files as somebody would bring them, and what that person expects them to be read as. */
export interface FileCase {
  readonly title: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** What the proposal must read when nothing is changed in it; null: nothing is proposed, and the warnings say why. */
  readonly graph: ExpectedGraph | null;
  /** Warnings of the preview that must be there, each naming file or column. */
  readonly warns?: readonly RegExp[];
  /** Warnings of the graph itself. */
  readonly reports?: readonly RegExp[];
  /** The proposal is refused when the graph is built, by this message. */
  readonly refused?: RegExp;
}

export interface ExpectedGraph {
  readonly nodes: number;
  /** As a person counts them: rows that are edges, each pair once. */
  readonly edges: number;
  readonly ids?: readonly string[];
  readonly classes?: readonly string[];
  readonly unlabelled?: number;
  readonly features?: number;
  /** The feature rows of all nodes */
  readonly rows?: readonly (readonly number[])[];
  readonly targets?: readonly string[];
  readonly split?: readonly [train: number, val: number, test: number];
  readonly directed?: boolean;
  readonly weighted?: boolean;
  readonly edgeTypes?: readonly string[];
  /** What is known of each edge for splits of links */
  readonly sidesOfLinks?: readonly ("split" | "time")[];
}

/** `rows` lines of text under each other, each ended. */
export function lines(...rows: readonly string[]): string {
  return `${rows.join("\n")}\n`;
}

/** A path of three edges over the nodes 1 to 4. */
export const path = { nodes: 4, edges: 3, ids: ["1", "2", "3", "4"] } as const;
export const pathPairs = [
  [1, 2],
  [2, 3],
  [3, 4],
] as const;

export function pairs(delimiter: string, ...more: readonly string[]): string[] {
  return pathPairs.map((ends) => [...ends, ...more].join(delimiter));
}
