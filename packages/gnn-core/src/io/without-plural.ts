/** What singular and plural have in common: `categories`, `category`; `movies`, `movie`; `classes`, `class`. */
export function withoutPlural(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies?$/, "y")
    .replace(/(?<=ss|x|z|ch|sh)es?$/, "")
    .replace(/(?<=[^s])s$/, "");
}
