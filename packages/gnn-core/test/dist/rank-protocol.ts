/** Messages between the test and its rank processes. */
export type ToRank =
  | { type: "connect"; id: number; rank: number; worldSize: number; timeoutMs: number }
  | { type: "allReduceSum"; id: number; values: readonly number[] }
  | { type: "barrier"; id: number }
  | { type: "close"; id: number }
  /** Ends the process without waiting for anything. */
  | { type: "exit"; id: number }
  | { type: "store-value"; id: number; bytes: number[] };

export type FromRank =
  | { type: "done"; id: number; values: number[] }
  | { type: "failed"; id: number; code: string; message: string }
  | { type: "store-set"; key: string; bytes: number[] }
  | { type: "store-get"; key: string; id: number };
