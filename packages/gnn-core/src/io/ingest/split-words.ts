/** Codes of `nodes/split.npy`. */
export const splitCodes = { none: 0, train: 1, val: 2, test: 3 } as const;
export type SplitName = keyof typeof splitCodes;

const words = new Map<string, SplitName>([
  ["", "none"],
  ["none", "none"],
  ["unused", "none"],
  ["train", "train"],
  ["training", "train"],
  ["tr", "train"],
  ["val", "val"],
  ["valid", "val"],
  ["validation", "val"],
  ["validate", "val"],
  ["dev", "val"],
  ["development", "val"],
  ["test", "test"],
  ["testing", "test"],
  ["te", "test"],
]);

export const splitWords = [...words.keys()].filter((word) => word !== "");

/**
 * The split a cell names, or undefined when it is none of the words.
 *
 * @param own what words of the data set's own mean; they go before the usual ones
 */
export function splitOf(cell: string | null, own: Readonly<Record<string, SplitName>> = {}): SplitName | undefined {
  const text = (cell ?? "").trim();
  return Object.hasOwn(own, text) ? own[text] : words.get(text.toLowerCase());
}
