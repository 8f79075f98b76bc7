/** What singular and plural have in common: `categories` and `category`, `movies` and `movie`, `classes` and `class`. */
export function withoutPlural(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies?$/, "y")
    .replace(/(?<=ss|x|z|ch|sh)es?$/, "")
    .replace(/(?<=[^s])s$/, "");
}
