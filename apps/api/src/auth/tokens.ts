import { createHash, randomBytes } from "node:crypto";

/** A secret of 256 random bits after a recognisable prefix. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/**
 * What is stored instead of the secret. Plain SHA-256 is enough: the secret has 256 bits, so no guessing to slow down.
 */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
