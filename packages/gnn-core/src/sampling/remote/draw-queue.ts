/** Lets so many draws run at a time; the others wait in their order. */
export class DrawQueue {
  readonly #threads: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(threads: number) {
    this.#threads = threads;
  }

  async run<T>(draw: () => Promise<T>): Promise<T> {
    if (this.#running === this.#threads) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await draw();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
