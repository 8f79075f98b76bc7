import type { Encoding } from "../encoding/encodings.ts";
import type { ColumnInfo } from "../table-source.ts";

/** What somebody has to know about a file that no reader takes. */
export interface FileProblem {
  readonly code: string;
  readonly detail: string;
}

/** A file as it was sampled, before roles are guessed. */
export interface SampledFile {
  readonly name: string;
  /** null: no reader takes it; `npy` and `npz` are matrices. */
  readonly reader: string | null;
  /** Options of the reader, as they were detected or chosen */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * Whether the reader is another than the name's ending asks for, or its options were chosen: the spec must name it.
   */
  readonly isChosen: boolean;
  readonly reasons: readonly string[];
  readonly doubts: readonly string[];
  readonly problem: FileProblem | null;
  readonly bytes: number;
  /** How its bytes stand for characters; null: it is no text, or ASCII, which all of them read the same */
  readonly encoding?: Encoding | null;
  /** Which table of a file of several this is; left out: the file is one table. */
  readonly part?: "nodes" | "edges";
  /** Whether the file says that its edges have a direction; null or left out: it does not say. */
  readonly statedDirection?: boolean | null;
  readonly columns: readonly ColumnInfo[];
  readonly rows: readonly (readonly string[])[];
}

export type ColumnRole =
  | "src"
  | "dst"
  | "weight"
  | "type"
  | "id"
  | "label"
  | "target"
  | "split"
  | "time"
  | "trainMask"
  | "valMask"
  | "testMask"
  | "feature"
  | "kind"
  | "multiHot"
  | "graph"
  | "fold"
  | "none";

/** The roles of a file's columns, in their order. */
export interface FileRoles {
  readonly roles: readonly ColumnRole[];
  /** What was assumed, or cannot be used, in sentences that begin with the file. */
  readonly notes: readonly string[];
  /** Whether the file says that its edges have a direction; null: it does not say. */
  readonly directed: boolean | null;
  /** Columns without a role about which a note, or the rest of the proposal, says why. */
  readonly explained: readonly number[];
}
