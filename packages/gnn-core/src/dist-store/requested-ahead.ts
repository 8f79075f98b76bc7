/** A batch and the rows that came for it. */
export interface Fetched<B, R> {
  readonly batch: B;
  readonly rows: R;
}

/**
 * Batches in order, each with rows that take a while to come. While one is computed, the rows of the next have been
 * asked for and the one after that is being made: computing may hold the JavaScript thread, and then nothing can be
 * asked for.
 *
 * @param make    the i-th batch; null ends early
 * @param request asks for its rows
 */
export async function* requestedAhead<B, R>(
  numBatches: number,
  make: (i: number) => Promise<B> | null,
  request: (batch: B) => Promise<R>,
): AsyncGenerator<Fetched<B, R>, void, undefined> {
  const begin = (i: number) => (i < numBatches ? heardLater(make(i)) : null);
  const ask = async (making: Promise<B>) => {
    const batch = await making;
    const arriving = heardLater(request(batch));
    // The request leaves before anything is computed, however many promises lie between it and the wire.
    await new Promise(setImmediate);
    return { batch, arriving };
  };
  let making = begin(0);
  let asked = making && ask(making);
  making = begin(1);
  for (let i = 0; asked; i++) {
    const { batch, arriving } = await asked;
    asked = making && heardLater(ask(making));
    making = begin(i + 2);
    const rows = await arriving;
    await asked?.catch(() => {});
    yield { batch, rows };
  }
}

/** Its failure is heard when its turn comes, not as unhandled. */
function heardLater<P extends Promise<unknown> | null>(promise: P): P {
  promise?.catch(() => {});
  return promise;
}
