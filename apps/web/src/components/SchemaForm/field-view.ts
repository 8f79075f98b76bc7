import { createContext } from "react";
import type { SpecChange } from "../../services/spec-changes.ts";

/** Words that fields are searched by; empty: all are shown. */
export const FieldSearch = createContext("");

export interface FieldChanges {
  /** By pointer: what differs from what the form started from */
  readonly changes: ReadonlyMap<string, SpecChange>;
  readonly onReset: (change: SpecChange) => void;
}

/** What is marked in a form as changed, and how it is taken back. */
export const FieldChangesContext = createContext<FieldChanges>({ changes: new Map(), onReset: () => {} });
