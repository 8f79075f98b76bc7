/** Sums and barriers between the ranks of one job. Operations are issued in the same order on every rank. */
export interface Collective {
  readonly rank: number;
  readonly worldSize: number;
  /** How long an operation waits for the other ranks, in milliseconds */
  readonly timeoutMs: number;
  /** In place: afterwards every rank holds the same bits of the sum. */
  allReduceSum(values: Float32Array): Promise<void>;
  barrier(): Promise<void>;
  close(): Promise<void>;
}
