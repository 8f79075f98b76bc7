/** A weight of a model as its card names it. */
export interface ShownWeight {
  readonly name: string;
  /** "6 × 8" */
  readonly shape: string;
  /** Numbers in it */
  readonly size: number;
}

interface Weight {
  readonly name: string;
  readonly shape: readonly number[];
}

/** The first weights of a model's info; none where the model was trained before they were written down. */
export function weightsOf(info: unknown): readonly ShownWeight[] {
  const { weights } = (info ?? {}) as { weights?: readonly Weight[] };
  if (!Array.isArray(weights)) return [];
  return (weights as readonly Weight[]).map(({ name, shape }) => ({
    name,
    shape: shape.join(" × "),
    size: shape.reduce((product, length) => product * length, 1),
  }));
}
