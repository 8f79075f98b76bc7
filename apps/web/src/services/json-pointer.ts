/**
 * Where an error is shown: the field whose pointer is the longest beginning of the error's pointer.
 * Null when no field on the page is meant; then it belongs to the top of the form.
 *
 *   "/sampling/options/fanouts/1" among ["/sampling/options/fanouts", "/sampling"] → the first
 */
export function fieldOfPointer(pointer: string, fields: Iterable<string>): string | null {
  const wanted = pointer.startsWith("/spec/") ? pointer.slice("/spec".length) : pointer;
  let best: string | null = null;
  for (const field of fields) {
    const fits = wanted === field || wanted.startsWith(`${field}/`);
    if (fits && (best === null || field.length > best.length)) best = field;
  }
  return best;
}
