import { setImmediate } from "node:timers/promises";
import type { PGlite, Transaction } from "@electric-sql/pglite";

/**
 * PGlite computes on this process's own thread, and one query that has ended starts the next: with many of them waiting
 * nothing else would have its turn until all were done. Here everybody has one before each query.
 */
export function takeTurns(pglite: PGlite): PGlite {
  let last: Promise<unknown> = Promise.resolve();
  /** After whatever was asked for before, so that each finds the others' turn over, and not all of them at once. */
  const inLine = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(() => setImmediate()).then(work);
    last = result.catch(() => {});
    return result;
  };
  const query = pglite.query.bind(pglite);
  const transaction = pglite.transaction.bind(pglite);
  return Object.assign(pglite, {
    query: (...args: Parameters<typeof query>) => inLine(() => query(...args)),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => inLine(() => transaction((tx) => work(withTurns(tx)))),
  });
}

/** Inside a transaction one query follows another anyhow. */
function withTurns(tx: Transaction): Transaction {
  const query = tx.query.bind(tx);
  return Object.assign(tx, {
    query: async (...args: Parameters<typeof query>) => {
      await setImmediate();
      return query(...args);
    },
  });
}
