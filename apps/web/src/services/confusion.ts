/** How labels (rows) and predictions (columns) of the test nodes go together. */
export interface Confusion {
  readonly classes: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

/** Nodes of one class that the model takes for another. */
export interface Mistake {
  readonly label: string;
  readonly predicted: string;
  readonly count: number;
  /** What part of all test nodes of the label they are */
  readonly share: number;
}

/** More than these, a page cannot tell the cells apart. */
const shownClasses = 100;

/** The confusion matrix of a model's info; null when there is none or it has more classes than a page can show. */
export function confusionOf(info: unknown): Confusion | null {
  const confusion = readConfusion(info);
  return confusion && confusion.classes.length <= shownClasses ? confusion : null;
}

/** The confusion matrix of a model's info; null when there is none. */
export function readConfusion(info: unknown): Confusion | null {
  const { confusion } = (info ?? {}) as { confusion?: Partial<Confusion> | null };
  const { classes, counts } = confusion ?? {};
  if (!Array.isArray(classes) || !Array.isArray(counts) || counts.length !== classes.length) return null;
  return { classes, counts };
}

/** What share of a label's nodes each prediction has; 0 in all cells where no test node has the label. */
export function rowShares({ counts }: Confusion): readonly (readonly number[])[] {
  return counts.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => (total === 0 ? 0 : count / total));
  });
}

/** The mistakes that are made most often, most nodes first. */
export function frequentMistakes(confusion: Confusion, most: number): readonly Mistake[] {
  const { classes, counts } = confusion;
  const shares = rowShares(confusion);
  return counts
    .flatMap((row, i) =>
      row.map((count, j) => ({
        label: classes[i] ?? "",
        predicted: classes[j] ?? "",
        count: i === j ? 0 : count,
        share: shares[i]?.[j] ?? 0,
      })),
    )
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, most);
}
