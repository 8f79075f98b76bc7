const yes = new Set(["1", "1.0", "true", "True", "TRUE"]);
const no = new Set(["0", "0.0", "false", "False", "FALSE"]);

/** What tables write for a mark that is set. */
export function isYes(cell: string): boolean {
  return yes.has(cell);
}

export function isNo(cell: string): boolean {
  return no.has(cell);
}
