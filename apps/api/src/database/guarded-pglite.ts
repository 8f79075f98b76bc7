import { messages, type PGlite, type Transaction } from "@electric-sql/pglite";
import { WalReserve } from "./wal-reserve.ts";

/** PostgreSQL's code disk_full */
const diskFull = "53100";

/**
 * PGlite as a full disk may not ruin it: statements that write are refused, with the code a PostgreSQL server has for
 * it, while its log has no room in reserve. Those that only read go on.
 */
export async function guardedPglite(pglite: PGlite, dataDir: string): Promise<PGlite> {
  const reserve = new WalReserve(dataDir, (sql) => pglite.query(sql));
  await reserve.hasRoom(); // while there may still be some to be had
  return new Proxy(pglite, {
    get(target, property) {
      if (property === "query") return guardedQuery(target, reserve);
      if (property === "transaction") return guardedTransaction(target, reserve);
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function guardedQuery(pglite: PGlite, reserve: WalReserve): PGlite["query"] {
  return async (sql, ...rest) => {
    if (!reads(sql) && !(await reserve.hasRoom())) throw refusal();
    return pglite.query(sql, ...rest);
  };
}

/** Looked at before it begins, as nothing else may run beside it: then its writes are refused one by one. */
function guardedTransaction(pglite: PGlite, reserve: WalReserve): PGlite["transaction"] {
  return async <T>(work: (tx: Transaction) => Promise<T>) => {
    const hasRoom = await reserve.hasRoom();
    return pglite.transaction((tx) => work(hasRoom ? tx : readingOnly(tx)));
  };
}

function readingOnly(tx: Transaction): Transaction {
  const query: Transaction["query"] = async (sql, ...rest) => {
    if (!reads(sql)) throw refusal();
    return tx.query(sql, ...rest);
  };
  return new Proxy(tx, {
    get(target, property) {
      if (property === "query") return query;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Whether a statement writes no rows. Locking some is writing too. */
function reads(sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql) && !/\bFOR\s+(NO\s+KEY\s+)?(UPDATE|SHARE|KEY\s+SHARE)\b/i.test(sql);
}

function refusal(): Error {
  const message = "the disk of the embedded database is full";
  return Object.assign(new messages.DatabaseError(message, message.length, "error"), {
    code: diskFull,
    severity: "ERROR",
  });
}
