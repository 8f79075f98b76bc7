const directive = /^\s*(#[^\n]*\n\s*)*(@?prefix\s+[^\s:<]*:\s*<|@?base\s+<)/i;

/** Whether text begins as Turtle and TriG usually do: with a prefix or a base. */
export function isTurtle(text: string): boolean {
  return directive.test(text);
}
