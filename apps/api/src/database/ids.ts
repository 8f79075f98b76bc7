import { randomBytes } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford's base 32: no look-alikes

/** A fresh id such as `job_6f3k…`: prefix by kind, 80 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join("")}`;
}
