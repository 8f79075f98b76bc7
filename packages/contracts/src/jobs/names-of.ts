const mostShown = 5;

/** Some names in quotation marks, and how many more there are */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
