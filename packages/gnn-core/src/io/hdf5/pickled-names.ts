/** How many names a list may have */
const mostNames = 8192;

/**
 * The texts and whole numbers of a list that Python has pickled as text (protocol 0), as PyTables keeps the names of
 * columns in an attribute: `(lp0\nVsource\np1\naVtarget\np2\na.`. It is taken apart and not run.
 *
 * @returns null when it is anything else
 */
export function namesInPickle(text: string | undefined): string[] | null {
  const list = /^\(lp\d+\n((?:[VI][^\n]*\n(?:p\d+\n)?a)*)\.$/.exec(text ?? "");
  if (!list) return null;
  const names = [...list[1]!.matchAll(/[VI]([^\n]*)\n(?:p\d+\n)?a/g)].map(([, name = ""]) => unescaped(name));
  return names.length > 0 && names.length <= mostNames ? names : null;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
