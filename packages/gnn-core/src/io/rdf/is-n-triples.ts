const firstTriple =
  /^(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:<[^>\s]+>|_:[^\s<]+)[ \t]*<[^>\s]+>[ \t]*\S[^\n]*\.[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/;

/** Whether text is RDF with a triple on each line. */
export function isNTriples(text: string): boolean {
  return firstTriple.test(text);
}
