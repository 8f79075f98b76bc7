/** A file with a query on a database beside it. */
export interface QueryFile {
  /** As it was uploaded: `shop.orders.sql` */
  readonly name: string;
  /** The table that its rows become: `orders.jsonl` */
  readonly table: string;
}

const ending = /\.sql$/i;

/**
 * The queries among files, by the database that they are asked of: the one whose name stands before theirs, with or
 * without its ending, and where there is one database alone any other, too.
 *
 * @param databases names of the files that are databases
 */
export function queriesOn(databases: readonly string[], names: readonly string[]): ReadonlyMap<string, QueryFile[]> {
  const byDatabase = new Map<string, QueryFile[]>();
  for (const name of names.filter((one) => ending.test(one)).toSorted()) {
    const database = databaseOf(name, databases);
    if (database === null) continue;
    const own = byDatabase.get(database) ?? [];
    byDatabase.set(database, [...own, { name, table: tableOf(name, database, own) }]);
  }
  return byDatabase;
}

function databaseOf(name: string, databases: readonly string[]): string | null {
  const named = databases
    .flatMap((database) => prefixesOf(database).map((prefix) => ({ database, prefix })))
    .filter(({ prefix }) => name.startsWith(prefix) && name.length > prefix.length + ".sql".length)
    .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  return named?.database ?? (databases.length === 1 ? databases[0]! : null);
}

function prefixesOf(database: string): string[] {
  const stem = database.replace(/\.\w+$/, "");
  return [`${database}.`, ...(stem === "" ? [] : [`${stem}.`])];
}

function tableOf(name: string, database: string, others: readonly QueryFile[]): string {
  const prefix = prefixesOf(database).find((one) => name.startsWith(one)) ?? "";
  const rest = name.slice(prefix.length).replace(ending, "");
  const plain = (rest === "" ? name.replace(ending, "") : rest).replaceAll(/[^\p{L}\p{N}_-]+/gu, "_");
  const isTaken = (table: string) => others.some((one) => one.table.toLowerCase() === table.toLowerCase());
  let table = `${plain}.jsonl`;
  for (let n = 2; isTaken(table); n++) table = `${plain}_${n}.jsonl`;
  return table;
}
