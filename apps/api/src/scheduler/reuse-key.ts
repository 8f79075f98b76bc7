import { createHash } from "node:crypto";

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

/** JSON with the keys of every object in code-unit order and `undefined` left out, as `JSON.stringify` leaves it. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
