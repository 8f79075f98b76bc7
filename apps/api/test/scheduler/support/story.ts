/** For `vi.waitFor`. */
export const waitOptions = { timeout: 20_000, interval: 20 };

/** 1, 2, …, n: the cursors of a story without gap or repeat. */
export const countTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

export const cursorsOf = (events: readonly { cursor: number }[]): number[] => events.map(({ cursor }) => cursor);

/** A problem that ends a job. */
export const notRetryable = {
  type: "about:blank",
  title: "x",
  status: 500,
  code: "TRAIN_DIVERGED",
  detail: "test",
  retryable: false,
};
