import { isIP } from "node:net";
import { type AddressGuard, ForbiddenAddress } from "../../requests/address-guard.ts";
import { refused, unencrypted } from "../source-address.ts";

export type SqlEngine = "postgresql" | "mysql";

/** A database that queries may be sent to. */
export interface DatabaseAddress {
  readonly engine: SqlEngine;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  /** Without encryption, which networks of the operator alone may have. */
  readonly isPlain: boolean;
}

const engines: Readonly<Record<string, SqlEngine>> = {
  postgresql: "postgresql",
  postgres: "postgresql",
  mysql: "mysql",
  mariadb: "mysql",
};
export const defaultPorts: Readonly<Record<SqlEngine, number>> = { postgresql: 5432, mysql: 3306 };

/** Whether an address means a database, whatever else is wrong with it. */
export function isDatabaseAddress(text: string): boolean {
  return /^[a-z]+:/i.test(text) && engines[text.split(":")[0]?.toLowerCase() ?? ""] !== undefined;
}

/**
 * What `postgresql://host:port/database?sslmode=…` and `mysql://…` mean, as far as can be told before the name is
 * looked up.
 *
 * @throws AppError IMPORT_ADDRESS
 */
export function databaseAddress(text: string, guard: AddressGuard): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  const engine = engines[url?.protocol.slice(0, -1) ?? ""];
  if (!url || !engine) throw refused("Found no database, expected an address like postgresql://db.example.com/shop.");
  if (url.username !== "" || url.password !== "")
    throw refused("The address has a user or password in it; store them as a credential, and name that.");
  const host = hostOf(url, guard);
  const database = databaseOf(url);
  const isPlain = isUnencrypted(url);
  if (isPlain && isIP(host) !== 0 && !guard.isNamed(host)) throw unencrypted(host);
  if (!isPlain && engine === "mysql" && isIP(host) !== 0)
    throw refused("The host is a number; name it as its certificate does, or say sslmode=disable in a named network.");
  return { engine, host, port: url.port === "" ? defaultPorts[engine] : Number(url.port), database, isPlain };
}

/** How the address is shown and kept: nothing in it is secret. */
export function databaseUrl({ engine, host, port, database, isPlain }: DatabaseAddress): string {
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return `${engine}://${shown}:${port}/${encodeURIComponent(database)}${isPlain ? "?sslmode=disable" : ""}`;
}

/** In the form in which numbers, dots and letters of hosts are compared and looked up. */
function hostOf({ hostname }: URL, guard: AddressGuard): string {
  const web = `https://${hostname}/`;
  if (hostname === "" || !URL.canParse(web) || !/^[\w.[\]:-]+$/.test(hostname))
    throw refused("Found no host, expected an address like postgresql://db.example.com/shop.");
  try {
    guard.checkLiteral(new URL(web));
  } catch (error) {
    throw error instanceof ForbiddenAddress ? refused(error.message) : error;
  }
  return new URL(web).hostname.replace(/^\[|\]$/g, "");
}

function databaseOf({ pathname }: URL): string {
  const [, name = ""] = /^\/([^/]+)\/?$/.exec(pathname) ?? [];
  const decoded = safeDecode(name);
  if (decoded === "" || decoded.length > 128 || /\p{Cc}/u.test(decoded))
    throw refused("Found no name of a database behind the host, expected postgresql://db.example.com/shop.");
  return decoded;
}

function isUnencrypted({ searchParams }: URL): boolean {
  const other = [...searchParams.keys()].find((name) => name !== "sslmode");
  if (other !== undefined) throw refused(`The address asks for ${other.slice(0, 40)}; expected sslmode alone.`);
  const mode = searchParams.get("sslmode") ?? "verify-full";
  if (mode === "verify-full") return false;
  if (mode === "disable") return true;
  throw refused("The sslmode is neither verify-full, which is the default, nor disable.");
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
