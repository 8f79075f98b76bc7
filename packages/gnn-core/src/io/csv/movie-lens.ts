import type { Dialect } from "../dialect/dialect.ts";
import { baseName } from "../preview/base-name.ts";

const genres =
  "unknown Action Adventure Animation Children's Comedy Crime Documentary Drama Fantasy Film-Noir Horror Musical " +
  "Mystery Romance Sci-Fi Thriller War Western";

/** The columns of MovieLens 100K, 1M and 10M, whose files do not name them, as the README of each says. */
const columnsOf: Readonly<Record<string, { readonly delimiter: string; readonly names: readonly string[] }>> = {
  "ratings.dat": { delimiter: "::", names: ["UserID", "MovieID", "Rating", "Timestamp"] },
  "users.dat": { delimiter: "::", names: ["UserID", "Gender", "Age", "Occupation", "Zip-code"] },
  "movies.dat": { delimiter: "::", names: ["MovieID", "Title", "Genres"] },
  "tags.dat": { delimiter: "::", names: ["UserID", "MovieID", "Tag", "Timestamp"] },
  "u.data": { delimiter: "\t", names: ["user_id", "item_id", "rating", "timestamp"] },
  "u.user": { delimiter: "|", names: ["user_id", "age", "gender", "occupation", "zip_code"] },
  "u.item": {
    delimiter: "|",
    names: ["item_id", "title", "release_date", "video_release_date", "IMDb_URL", ...genres.split(" ")],
  },
};

/** What the files of MovieLens 100K hold, which the endings of their names say. */
export const movieLensTypes: Readonly<Record<string, string>> = {
  "u.data": "ratings",
  "u.user": "user",
  "u.item": "item",
};

/** Its splits, `u1.base` to `ub.test`, are parts of `u.data`. */
const parts = /^u[1-5ab]\.(base|test)$/;

/** The dialect with the names of columns that a file of MovieLens has by what it is called; else as it is. */
export function withMovieLensNames(dialect: Dialect, file: string, numColumns: number): Dialect {
  const called = baseName(file).toLowerCase().replace(/\.gz$/, "");
  const known = columnsOf[parts.test(called) ? "u.data" : called];
  if (dialect.header || dialect.columnNames !== null || known?.delimiter !== dialect.delimiter) return dialect;
  const { names } = known;
  if (names.length !== numColumns) return dialect;
  const reason = `Its columns are called as in MovieLens, whose file has such a name: ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}.`;
  return { ...dialect, columnNames: names, reasons: [...dialect.reasons, reason] };
}
