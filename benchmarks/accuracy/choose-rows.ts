import { type Row, referencesOf } from "./row.ts";

/**
 * The rows asked for and those that they are compared with, in the order of the table.
 *
 * @param only names of rows or what they begin with, with commas between (`cora` for `cora-gcn`, a row's for its
 *   variants); left out: all
 */
export function chooseRows(rows: readonly Row[], only: string | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const wanted = new Set<string>();
  for (const name of only.split(",")) {
    const found = rows.filter((row) => row.name === name || ["-", " "].some((end) => row.name.startsWith(name + end)));
    if (found.length === 0) {
      throw new Error(`--only ${name}: expected some of ${rows.map((row) => row.name).join(", ")}.`);
    }
    for (const row of found) for (const each of [row.name, ...referencesOf(row)]) wanted.add(each);
  }
  return rows.filter(({ name }) => wanted.has(name));
}
