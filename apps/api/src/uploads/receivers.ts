/** A request that is sending bytes of an upload to this process. */
interface Receiver {
  /** Breaks it off; what has come stays. */
  readonly stop: () => void;
  readonly end: Promise<void>;
}

/**
 * Which request each upload is coming by. Who asks again has lost the connection before: what is still held of it ends
 * first, so that nothing it brought is lost or sent twice. Another process needs no such help, for the store takes each
 * part once.
 */
export class Receivers {
  readonly #running = new Map<string, Receiver>();

  /** Waits until what this process had of an upload's earlier connection is stored. */
  async settled(id: string): Promise<void> {
    for (let found = this.#running.get(id); found; found = this.#running.get(id)) {
      found.stop();
      await found.end;
    }
  }

  /** Receives after every earlier connection of the upload has ended. */
  async receive<T>(id: string, stop: () => void, work: () => Promise<T>): Promise<T> {
    await this.settled(id);
    const result = work();
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    const receiver = { stop, end };
    this.#running.set(id, receiver);
    try {
      return await result;
    } finally {
      if (this.#running.get(id) === receiver) this.#running.delete(id);
    }
  }
}
