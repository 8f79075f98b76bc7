/** How labels (rows) and predictions (columns) of the test nodes go together. */
export interface Confusion {
  readonly classes: readonly string[];
  readonly counts: readonly (readonly number[])[];
}

const shownClasses = 30;

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
