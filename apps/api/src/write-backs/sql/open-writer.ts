import type { Client } from "pg";
import { namedOnly } from "../../imports/open-source.ts";
import { type DatabaseAccess, loginOf } from "../../imports/sql/open-session.ts";
import { postgresClient } from "../../imports/sql/postgres-client.ts";
import { tookTooLong, writeFailure } from "./write-failure.ts";

/**
 * Connects to a database as the credential's user, to write. The connection ends with the work, whatever becomes of it;
 * a transaction that is open then is rolled back.
 *
 * @throws AppError WRITE_BACK_ADDRESS, WRITE_BACK_REFUSED, WRITE_BACK_DATABASE, WRITE_BACK_TABLE,
 * WRITE_BACK_TIME_LIMIT; DatabaseBroke for what may pass; the reason of the signal
 */
export async function withWriter(access: DatabaseAccess, work: (client: Client) => Promise<void>): Promise<void> {
  const { address, guard, querySeconds, signal } = access;
  const late = AbortSignal.timeout(querySeconds * 1000 + 5000);
  try {
    const login = loginOf(access, "databaseWrite");
    const lookup = address.isPlain ? namedOnly(guard) : guard.lookup;
    const ended = AbortSignal.any([signal, late]);
    const { client, close } = postgresClient({ address, ...login, lookup, signal: ended }, "hopwise write-back");
    try {
      await client.connect();
      await work(client);
    } finally {
      await close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw late.aborted ? tookTooLong(querySeconds) : writeFailure(error, querySeconds);
  }
}
