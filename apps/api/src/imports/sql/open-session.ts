import { AppError } from "@hopwise/contracts";
import type { AddressGuard } from "../../requests/address-guard.ts";
import { mayGoTo, type SourceSecret } from "../credential-header.ts";
import { namedOnly } from "../open-source.ts";
import { type DatabaseAddress, defaultPorts } from "./database-address.ts";
import { openMysql } from "./mysql-session.ts";
import { openPostgres } from "./postgres-session.ts";
import { failureOf } from "./sql-failure.ts";
import type { SqlSession } from "./sql-session.ts";

export interface DatabaseAccess {
  readonly address: DatabaseAddress;
  readonly credential: SourceSecret | null;
  readonly guard: AddressGuard;
  readonly querySeconds: number;
  readonly signal: AbortSignal;
}

/**
 * Connects to a database as the credential's user, in a transaction that can only read.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND, IMPORT_SOURCE; SourceBroke for what may pass
 */
export async function openSession(access: DatabaseAccess): Promise<SqlSession> {
  const { address, guard, querySeconds, signal } = access;
  const { user, password } = loginOf(access);
  const lookup = address.isPlain ? namedOnly(guard) : guard.lookup;
  const open = address.engine === "postgresql" ? openPostgres : openMysql;
  try {
    return await open({ address, user, password, lookup, querySeconds, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, querySeconds);
  }
}

/** @throws AppError IMPORT_REFUSED when the credential is for something else */
export function loginOf(
  { address, credential }: Pick<DatabaseAccess, "address" | "credential">,
  kind: "database" | "databaseWrite" = "database",
) {
  if (credential === null)
    throw new AppError("IMPORT_REFUSED", `A database asks who comes: name a credential of the kind ${kind}.`);
  if (credential.kind !== kind)
    throw new AppError("IMPORT_REFUSED", `The credential is of the kind ${credential.kind}, expected ${kind}.`);
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  const hosts = [`${host}:${address.port}`, ...(address.port === defaultPorts[address.engine] ? [host] : [])];
  if (!hosts.some((one) => mayGoTo(credential, { host: one })))
    throw new AppError("IMPORT_REFUSED", `The credential may not go to ${hosts[0]}; an admin names its hosts.`);
  const colon = credential.secret.indexOf(":");
  return { user: credential.secret.slice(0, colon), password: credential.secret.slice(colon + 1) };
}
