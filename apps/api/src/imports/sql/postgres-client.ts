import { Client } from "pg";
import { guardedSocket } from "./guarded-socket.ts";
import { connectSeconds, type SessionOptions } from "./sql-session.ts";

/** A client that is not connected yet. */
export interface PostgresClient {
  readonly client: Client;
  /** What has come so far is taken. */
  readonly taken: () => void;
  /** Ends the connection at once, and with it what the server is at. */
  readonly close: () => Promise<void>;
}

/** Values come as the texts that the server sends: ids of 64 bits and decimals keep all their digits. */
const asText = { getTypeParser: () => (text: string) => text };

/**
 * A client of a PostgreSQL that connects to addresses that were checked, encrypted unless the address says otherwise.
 *
 * @param name  what the server lists the connection as
 */
export function postgresClient(
  { address, user, password, lookup, signal }: Omit<SessionOptions, "querySeconds">,
  name: string,
): PostgresClient {
  const { socket, taken } = guardedSocket(lookup, signal);
  const client = new Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user,
    // As a function it stands for itself: an empty one is not replaced by what the environment has.
    password: () => password,
    stream: () => socket,
    ssl: address.isPlain ? false : { rejectUnauthorized: true },
    connectionTimeoutMillis: connectSeconds * 1000,
    application_name: name,
    client_encoding: "UTF8",
    types: asText,
  });
  // It is told by what waits for an answer; without a listener it would end the process.
  client.on("error", () => {});
  const close = async () => {
    socket.destroy();
  };
  return { client, taken, close };
}
