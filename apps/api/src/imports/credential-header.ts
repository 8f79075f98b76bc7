import { AppError, type sourceCredentialKinds } from "@hopwise/contracts";
import { s3Headers, s3SecretObjection } from "./s3/sign-s3.ts";

export type CredentialKind = (typeof sourceCredentialKinds)[number];

/** A credential as it is sent. */
export interface SourceSecret {
  readonly kind: CredentialKind;
  readonly hosts: readonly string[];
  readonly secret: string;
}

/** `host`, `host:port`, or `*.` before the part of a name that all hosts below it end with. */
export const hostPattern = /^(\*\.)?([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/;

/**
 * Whether a credential may go to an address: to its hosts, at the port that it names, else at the scheme's own. What
 * runs at another port of one host may be somebody else's.
 */
export function mayGoTo({ hosts }: Pick<SourceSecret, "hosts">, { host }: Pick<URL, "host">): boolean {
  return hosts.some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern));
}

const databaseSecret = /^[^:\p{Cc}]{1,128}:[^\p{Cc}]*$/u;
const headerPattern = /^([!#$%&'*+.^`|~\w-]{1,100}):[ \t]*([\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)$/;
/** What would change the request itself. */
const ownHeaders = new Set(["host", "connection", "content-length", "transfer-encoding", "range", "if-range"]);

/** Whether a credential goes to databases, and never over https. */
export function isOfDatabase(kind: CredentialKind): boolean {
  return kind === "database" || kind === "databaseWrite";
}

/** What is wrong with a secret, without repeating it; null: nothing. */
export function secretObjection(kind: CredentialKind, secret: string): string | null {
  if (kind === "header") {
    const [, name] = headerPattern.exec(secret) ?? [];
    if (name === undefined) return "a header credential is one line, Name: value";
    return ownHeaders.has(name.toLowerCase()) ? `the header ${name.toLowerCase()} is set by the service itself` : null;
  }
  if (kind === "s3") return s3SecretObjection(secret);
  if (kind === "basic") return secret.includes(":") ? null : "a basic credential is user:password";
  if (isOfDatabase(kind)) return databaseSecret.test(secret) ? null : "a database credential is user:password";
  return /^[\x21-\x7e]+$/.test(secret) ? null : "a bearer token has no spaces, and printable ASCII characters only";
}

/** The headers that a credential is sent as in a request by GET, which one of S3 signs. */
export function credentialHeader({ kind, secret }: SourceSecret, target: URL): Record<string, string> {
  if (kind === "s3") return s3Headers(target, secret);
  if (isOfDatabase(kind)) throw new AppError("IMPORT_REFUSED", "A database credential goes to databases alone.");
  if (kind === "bearer") return { authorization: `Bearer ${secret}` };
  if (kind === "basic") return { authorization: `Basic ${Buffer.from(secret, "utf8").toString("base64")}` };
  const [, name = "", value = ""] = headerPattern.exec(secret) ?? [];
  return { [name.toLowerCase()]: value };
}
