/** Columns as wide as their widest cell, two spaces between them; nothing for no rows. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines = [heads, ...rows].map((row) => row.map(printable));
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? "").length)));
  const padded = (cell: string, i: number) => cell + " ".repeat((widths[i] ?? 0) - cell.length);
  return lines.map((line) => line.map(padded).join("  ").trimEnd()).join("\n");
}

/** Names come from anywhere: what would steer the terminal is shown as a dot. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "·");
}
