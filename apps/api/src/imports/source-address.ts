import { isIP } from "node:net";
import { AppError } from "@hopwise/contracts";
import { type AddressGuard, ForbiddenAddress } from "../requests/address-guard.ts";

/**
 * An address that files may be fetched from, as far as can be told before its name is looked up.
 *
 * @throws AppError IMPORT_ADDRESS
 */
export function sourceUrl(text: string, guard: AddressGuard): URL {
  if (!URL.canParse(text)) throw refused("Found no URL, expected one like https://example.com/data/edges.csv.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refused(`The address begins with ${url.protocol}, expected https:.`);
  if (url.username !== "" || url.password !== "")
    throw refused("The address has a user or password in it; store them as a credential, and name that.");
  try {
    guard.checkLiteral(url);
  } catch (error) {
    throw error instanceof ForbiddenAddress ? refused(error.message) : error;
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (url.protocol === "http:" && isIP(host) !== 0 && !guard.isNamed(host)) throw unencrypted(host);
  return url;
}

/** Whoever stands between could change what comes over plain http: it is for networks that the operator names. */
export function unencrypted(host: string): AppError {
  return refused(
    `A connection without encryption was asked for, and ${host} is in no network of HOPWISE_IMPORT_NETWORKS; expected https:, or a database without sslmode=disable.`,
  );
}

export function refused(message: string, cause?: unknown): AppError {
  return new AppError("IMPORT_ADDRESS", message, { cause });
}

/** An address as everybody may see it: values of its query may be signatures or tokens, its fragment says nothing. */
export function shownAddress({ origin, pathname, searchParams }: URL): string {
  const names = [...new Set(searchParams.keys())].slice(0, 20);
  return `${origin}${pathname}${names.length > 0 ? `?${names.map((name) => `${encodeURIComponent(name)}=…`).join("&")}` : ""}`;
}

/** The last part of the path, which is what the file is called; empty when there is none. */
export function nameInAddress({ pathname }: URL): string {
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
