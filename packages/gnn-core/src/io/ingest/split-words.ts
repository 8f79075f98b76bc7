/** Codes of `nodes/split.npy`. */
export const splitCodes = { none: 0, train: 1, val: 2, test: 3 } as const;
export type SplitName = keyof typeof splitCodes;

const words = new Map<string, SplitName>([
  ["", "none"],
  ["none", "none"],
  ["train", "train"],
  ["val", "val"],
  ["valid", "val"],
  ["validation", "val"],
  ["test", "test"],
]);

export const splitWords = [...words.keys()].filter((word) => word !== "");

/** The split a cell names, or undefined when it is none of the words. */
export function splitOf(cell: string | null): SplitName | undefined {
  return words.get((cell ?? "").trim().toLowerCase());
}
