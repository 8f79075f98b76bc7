import { createHash } from "node:crypto";
import { canonicalJson } from "@hopwise/contracts";

export interface ReuseParts {
  readonly step: string;
  readonly stepVersion: number;
  readonly engine: string;
  /** Options after defaults: what the step really runs with. */
  readonly options: unknown;
  /** Content digest of each input artifact, by kind. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** sha256 over everything that decides a step's bits. Equal keys mean that one artifact serves both. */
export function reuseKeyOf(parts: ReuseParts): string {
  const { step, stepVersion, engine, options, inputs } = parts;
  return createHash("sha256").update(canonicalJson({ step, stepVersion, engine, options, inputs })).digest("hex");
}
