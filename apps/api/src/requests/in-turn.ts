/** How long the work of all requests together may go on before what else waits in the event loop has its turn. */
const sliceMs = 15;
/** In the order in which it was asked for. */
const waiting = new Set<() => void>();
let sliceBegan = 0;
let isTurnComing = false;

/**
 * Does a piece of work now, or when others have had their turn, if the pieces before it have taken long: connections,
 * timers and other requests are not kept waiting by a thousand short pieces in a row.
 */
export function inTurn<T>(work: () => T | Promise<T>): T | Promise<T> {
  if (waiting.size === 0 && performance.now() - sliceBegan < sliceMs) return work();
  const result = new Promise<T>((resolve, reject) => {
    waiting.add(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });
  if (!isTurnComing) {
    isTurnComing = true;
    setImmediate(goOn);
  }
  return result;
}

function goOn(): void {
  isTurnComing = false;
  sliceBegan = performance.now();
  for (const work of waiting) {
    waiting.delete(work);
    work();
    if (performance.now() - sliceBegan >= sliceMs) break;
  }
  if (waiting.size === 0) return;
  isTurnComing = true;
  setImmediate(goOn);
}
