import { AppError } from "@hopwise/contracts";

/** PostgreSQL cuts longer names off, so that two of them could become one. */
const mostBytes = 63;

/**
 * A name of a schema, table or column as it stands in a statement, whatever is in it: `"a ""b"""`.
 *
 * @throws AppError WRITE_BACK_TABLE for what PostgreSQL has no names of
 */
export function quoted(name: string): string {
  const bytes = Buffer.byteLength(name, "utf8");
  if (bytes === 0 || bytes > mostBytes || /\p{Cc}/u.test(name))
    throw new AppError(
      "WRITE_BACK_TABLE",
      `Found the name ${JSON.stringify(name.slice(0, 80))} of ${bytes} bytes, expected 1 to ${mostBytes} of them and no control characters.`,
    );
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as it stands in a statement, where no parameter may: backslashes mean themselves. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
