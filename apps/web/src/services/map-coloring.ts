import { paletteColor } from "../theme.ts";
import { formatFigure } from "./format.ts";

/** How the points of a map are coloured: by groups, each with a name and a colour. */
export interface Coloring {
  /** Group of each point, −1 = none */
  readonly groups: Int16Array;
  readonly names: readonly string[];
  readonly colors: readonly string[];
  readonly counts: ReadonlyMap<number, number>;
  /** What stands for points of no group */
  readonly none: string;
}

/** Viridis in eight steps (van der Walt and Smith 2015): even in lightness, and told apart by colour-blind readers. */
const scale = ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#a0da39", "#fde725"] as const;

/** @param codes index into `names`, −1 = not known */
export function coloringByCategory(codes: Int32Array, names: readonly string[], none = "not known"): Coloring {
  const groups = new Int16Array(codes);
  return { groups, names, colors: names.map((_, i) => paletteColor(i)), counts: countsOf(groups), none };
}

/** Eight ranges with about as many points in each, from dark to light; fewer where values repeat. NaN = not known. */
export function coloringByNumber(values: Float32Array | Int32Array): Coloring {
  const known = values.filter((value) => Number.isFinite(value)).toSorted();
  const starts = [...new Set(scale.map((_, i) => known[Math.floor((i * known.length) / scale.length)]))].filter(
    (start) => start !== undefined,
  );
  const groups = new Int16Array(values.length);
  for (let point = 0; point < values.length; point++) groups[point] = rangeOf(starts, values[point] ?? Number.NaN);
  const ends = [...starts.slice(1), known.at(-1) ?? 0];
  const names = starts.map((start, i) =>
    start === ends[i] ? formatFigure(start) : `${formatFigure(start)} – ${formatFigure(ends[i] ?? start)}`,
  );
  const colors = starts.map(
    (_, i) => scale[Math.round((i * (scale.length - 1)) / Math.max(1, starts.length - 1))] ?? "",
  );
  return { groups, names, colors, counts: countsOf(groups), none: "not known" };
}

/** The last range that begins at the value or below; −1 for what is no number. */
function rangeOf(starts: readonly number[], value: number): number {
  let range = Number.isFinite(value) ? starts.length - 1 : -1;
  while (range >= 0 && value < (starts[range] ?? 0)) range--;
  return range;
}

export function groupName({ names, none }: Coloring, group: number): string {
  return group < 0 ? none : (names[group] ?? `group ${group}`);
}

function countsOf(groups: Int16Array): ReadonlyMap<number, number> {
  const counts: number[] = [];
  for (let i = 0; i < groups.length; i++) {
    const slot = (groups[i] ?? -1) + 1;
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return new Map(counts.flatMap((count, slot) => (count === undefined ? [] : [[slot - 1, count] as const])));
}

/** What a column of a map is called on the page. */
export function columnTitle(name: string): string {
  const titles: Readonly<Record<string, string>> = {
    label: "Label",
    predicted: "Prediction",
    mistake: "Right or wrong",
    confidence: "Confidence",
    split: "Split",
    degree: "Degree",
  };
  return titles[name] ?? (name.startsWith("p_") ? `Probability of ${name.slice(2)}` : name.replaceAll("_", " "));
}
