const slices = 10;

/**
 * Calls `onLate` once after about so long, unless it is cleared. Counted in slices, of which an event loop that stood
 * still in one long call has used up but one: what has arrived meanwhile is read before the next.
 *
 * @returns what clears it
 */
export function deadline(timeoutMs: number, onLate: () => void): () => void {
  let left = slices;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    onLate();
  }, timeoutMs / slices);
  return () => clearInterval(timer);
}
