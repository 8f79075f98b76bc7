import type { ArtifactInfo } from "@hopwise/contracts";

type GraphInfo = ArtifactInfo<"graph">;
type ProfiledColumn = NonNullable<GraphInfo["profile"]>["columns"][number];
type Histogram = GraphInfo["degreeHistogram"];

/** What of a version's graph is compared with another's: `info` of a version of a dataset has it. */
export interface DriftedGraph {
  readonly labelCounts: GraphInfo["labelCounts"];
  readonly degreeHistogram: Histogram;
  /** null or left out: ingested by an earlier version, which compared no columns */
  readonly profile?: GraphInfo["profile"] | null;
}

/** How far one distribution has moved between two versions of a dataset. */
export interface Drift {
  /** `labels`, `degrees`, or a column with its table or type: `nodes.year`, `paper.year` */
  readonly what: string;
  readonly kind: "values" | "missing" | "labels" | "degrees";
  /**
   * From 0, the same, to 1, nothing in common: of values and degrees the largest difference of their distribution
   * functions (Kolmogorov–Smirnov), at least, as far as the kept histograms tell; of labels half the sum of the
   * differences of their shares (total variation); of what is missing the difference of the shares.
   */
  readonly distance: number;
  /** Mean of values, share of what is missing, median of degrees; null: not known, or of labels */
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * What has drifted between two versions of a dataset, the largest distance first. A model trained on the earlier one
 * has not seen what moved: look at distances of 0.1 and more before it is applied to the later one. Columns that only
 * one of them has are not compared.
 */
export function datasetDrift(before: DriftedGraph, after: DriftedGraph): readonly Drift[] {
  const drifts = [...columnDrifts(before, after), ...labelDrift(before, after), degreeDrift(before, after)];
  return drifts.filter(({ distance }) => distance > 0).toSorted((a, b) => b.distance - a.distance);
}

function columnDrifts(before: DriftedGraph, after: DriftedGraph): Drift[] {
  const later = new Map((after.profile?.columns ?? []).map((column) => [nameOf(column), column]));
  return (before.profile?.columns ?? []).flatMap((old) => {
    const now = later.get(nameOf(old));
    if (!now || now.role !== old.role) return [];
    const [gone, missing] = [shareMissing(old), shareMissing(now)];
    const what = nameOf(old);
    const ofMissing: Drift = {
      what,
      kind: "missing",
      distance: Math.abs(gone - missing),
      before: gone,
      after: missing,
    };
    if (!old.numbers || !now.numbers) return [ofMissing];
    const distance = largestGap(old.numbers.histogram, now.numbers.histogram);
    return [{ what, kind: "values", distance, before: old.numbers.mean, after: now.numbers.mean }, ofMissing];
  });
}

function nameOf({ type, table, name }: ProfiledColumn): string {
  return `${type ?? table}.${name}`;
}

function shareMissing({ missing, rows }: ProfiledColumn): number {
  return missing / Math.max(1, rows);
}

function labelDrift({ labelCounts: old }: DriftedGraph, { labelCounts: now }: DriftedGraph): Drift[] {
  if (old.length === 0 || now.length === 0) return [];
  const shares = (counts: DriftedGraph["labelCounts"]) => {
    const all = counts.reduce((sum, { count }) => sum + count, 0);
    return new Map(counts.map(({ label, count }) => [label, count / Math.max(1, all)]));
  };
  const [first, second] = [shares(old), shares(now)];
  const labels = new Set([...first.keys(), ...second.keys()]);
  const moved = [...labels].reduce(
    (sum, label) => sum + Math.abs((first.get(label) ?? 0) - (second.get(label) ?? 0)),
    0,
  );
  return [{ what: "labels", kind: "labels", distance: moved / 2, before: null, after: null }];
}

function degreeDrift(before: DriftedGraph, after: DriftedGraph): Drift {
  return {
    what: "degrees",
    kind: "degrees",
    distance: largestGap(before.degreeHistogram, after.degreeHistogram),
    before: before.profile?.degrees.median ?? null,
    after: after.profile?.degrees.median ?? null,
  };
}

/**
 * The largest difference of two distribution functions, where both are known: at edges that both histograms have, and
 * beyond the range of one of them. What lies between edges is not guessed: the true difference is never smaller.
 */
function largestGap(one: Histogram, other: Histogram): number {
  const [first, second] = [shareBelow(one), shareBelow(other)];
  let gap = 0;
  for (const edge of [...one.edges, ...other.edges]) {
    const [a, b] = [first(edge), second(edge)];
    if (a !== null && b !== null) gap = Math.max(gap, Math.abs(a - b));
  }
  return gap;
}

/** The share of values below a number; null: it lies inside a bin. */
function shareBelow({ edges, counts }: Histogram): (value: number) => number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return () => null;
  const shares = new Map<number, number>();
  let below = 0;
  edges.forEach((edge, i) => {
    shares.set(edge, below / all);
    below += counts[i] ?? 0;
  });
  const [first, last] = [edges[0]!, edges.at(-1)!];
  return (value) => (value <= first ? 0 : value >= last ? 1 : (shares.get(value) ?? null));
}
