import { type LookupFunction, Socket } from "node:net";

/** What may come of a database before rows of it have been taken: a server could otherwise fill the memory. */
const mostPending = 64 * 1024 ** 2;
const lookEveryMs = 50;

/** More came at once than is held. */
export class RowsTooLarge extends Error {
  override readonly name = "RowsTooLarge";
}

/** A connection of a database client: to addresses that were checked, and no longer than its signal lasts. */
export interface GuardedSocket {
  readonly socket: Socket;
  /** What has come so far is taken. */
  readonly taken: () => void;
}

/**
 * A socket that a client of a database connects by itself, by `connect(port, host)`.
 *
 * @param lookup  by which the host becomes an address
 */
export function guardedSocket(lookup: LookupFunction, signal: AbortSignal): GuardedSocket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = ((port: number, host: string) => connect({ port, host, lookup })) as Socket["connect"];
  let before = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - before > mostPending) socket.destroy(new RowsTooLarge("More came at once than is held."));
  }, lookEveryMs);
  watch.unref();
  const end = () => socket.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => {
    clearInterval(watch);
    signal.removeEventListener("abort", end);
  });
  if (signal.aborted) end();
  return {
    socket,
    taken: () => {
      before = socket.bytesRead;
    },
  };
}
