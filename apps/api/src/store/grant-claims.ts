import { manifestName } from "@hopwise/artifacts";
import { z } from "zod";

const count = z.number().int().nonnegative();

/**
 * Blobs of an artifact that may be read: all of them, or those whose names begin like this; its manifest in any case.
 */
const readable = z.strictObject({ prefix: z.string().min(1), only: z.array(z.string()).readonly().nullable() });

const writable = z.union([
  /** An artifact, `<output>/…`, and its checkpoints, `<output>.checkpoint-<epoch>-<step>/…` */
  z.strictObject({ output: z.string().min(1) }),
  z.strictObject({ blob: z.string().min(1) }),
]);

/** Whose it is: a slice of a stage, as long as that one runs, or a worker that the doctor checks. */
const holder = z.union([
  z.strictObject({ job: z.string(), attempt: count, stage: count, slice: count }),
  z.strictObject({ doctor: z.string() }),
]);
export type GrantHolder = z.infer<typeof holder>;

/** What a grant says. Nothing is allowed that it does not name. */
export const grantClaims = z.strictObject({
  holder,
  /** Seconds since 1970; from then on it is worth nothing. */
  expires: count,
  reads: z.array(readable).readonly(),
  writes: z.array(writable).readonly(),
});
export type GrantClaims = z.infer<typeof grantClaims>;

/** Whether a valid key (`assertKey`) may be read: what the grant says, and what may be written. */
export function mayRead(claims: GrantClaims, key: string): boolean {
  return claims.reads.some(({ prefix, only }) => isReadable(prefix, only, key)) || writtenFolder(claims, key) !== null;
}

function isReadable(prefix: string, only: readonly string[] | null, key: string): boolean {
  if (!key.startsWith(`${prefix}/`)) return false;
  const name = key.slice(prefix.length + 1);
  return only === null || name === manifestName || only.some((beginning) => name.startsWith(beginning));
}

/**
 * Where a valid key that may be written lies: the prefix of its artifact, or the key itself when it is a single blob;
 * null when it may not be written.
 */
export function writtenFolder({ writes }: GrantClaims, key: string): string | null {
  for (const write of writes) {
    if ("blob" in write) {
      if (key === write.blob) return key;
      continue;
    }
    if (!key.startsWith(write.output)) continue;
    const behind = /^(?:\.checkpoint-\d+-\d+)?(?=\/)/.exec(key.slice(write.output.length));
    if (behind) return `${write.output}${behind[0]}`;
  }
  return null;
}
