import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { AppError } from "@hopwise/contracts";
import { type GrantClaims, grantClaims } from "./grant-claims.ts";

const version = "hwg1";
/** A header holds no more (Node's limit is 16 KiB for all of them). */
const longestToken = 15_000;
const longestClaims = 4 * 1024 * 1024;

/** The key that grants are signed with, and nothing else. @param secret of the service, at least 256 bits */
export function grantKey(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "hopwise artifact store grants", 32));
}

/**
 * `hwg1.<claims>.<signature>`: the claims as deflated JSON, the signature HMAC-SHA256 of all before it, both in
 * base64url. Deflated, because names of a thousand parts would not fit a header.
 */
export function signGrant(claims: GrantClaims, key: Buffer): string {
  const said = `${version}.${deflateRawSync(JSON.stringify(claims)).toString("base64url")}`;
  const token = `${said}.${signatureOf(said, key)}`;
  if (token.length <= longestToken) return token;
  throw new AppError(
    "GRANT_INVALID",
    `The grant would take ${token.length} bytes, at most ${longestToken} fit a header; choose fewer parts, or let the workers share a folder.`,
  );
}

/**
 * What a token says, which is signed with this key and has not expired.
 *
 * @throws AppError GRANT_INVALID
 */
export function openGrant(token: string, key: Buffer, now: Date): GrantClaims {
  const [, said, signature] = /^(hwg1\.[\w-]+)\.([\w-]{43})$/.exec(token.slice(0, longestToken + 1)) ?? [];
  // Compared as texts: some texts of base64url differ and decode to the same bytes.
  if (said === undefined || !isEqual(signature ?? "", signatureOf(said, key))) {
    throw new AppError("GRANT_INVALID", "This is not a grant of this service; the worker gets one with each task.");
  }
  const packed = Buffer.from(said.slice(version.length + 1), "base64url");
  const text = inflateRawSync(packed, { maxOutputLength: longestClaims }).toString();
  const claims = grantClaims.parse(JSON.parse(text));
  if (now.getTime() < claims.expires * 1000) return claims;
  throw new AppError("GRANT_INVALID", "This grant has expired; the job's next attempt gets another.");
}

function signatureOf(said: string, key: Buffer): string {
  return createHmac("sha256", key).update(said).digest("base64url");
}

function isEqual(found: string, expected: string): boolean {
  const a = Buffer.from(found);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
