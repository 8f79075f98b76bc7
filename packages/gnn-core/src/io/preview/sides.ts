import type { SplitSide } from "../join-section.ts";
import { baseName } from "./base-name.ts";

const saidBy: readonly (readonly [SplitSide, RegExp])[] = [
  ["train", /(?<![a-z])train(?:ing)?(?![a-z])/i],
  ["val", /(?<![a-z])(?:val|valid|validation|dev)(?![a-z])/i],
  ["test", /(?<![a-z])test(?:ing)?(?![a-z])/i],
];

/** The side of the split that the name of a file says; null: none, or several. */
export function sideOf(file: string): SplitSide | null {
  const said = saidBy.filter(([, says]) => says.test(baseName(file)));
  return said.length === 1 ? said[0]![0] : null;
}

/** What a file is called beside its side: `split/paper/train.csv.gz` → `split/paper`, `paper_train.csv` → `paper`. */
export function nameWithoutSide(file: string): string {
  const base = baseName(file);
  const folder = file.slice(0, file.length - base.length).replace(/[/\\]+$/, "");
  const own = saidBy.reduce((name, [, says]) => name.replace(says, " "), base.replace(/\..*$/, ""));
  const words = own
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !/^(ids?|idx|index|mask|nodes?)$/i.test(word));
  return [folder, words.join("_")].filter((part) => part !== "").join("/");
}
