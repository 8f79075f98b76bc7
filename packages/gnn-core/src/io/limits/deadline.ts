import { type Limit, overLimit } from "./reading-limits.ts";

/** The seconds that a step may spend on reading files, from its beginning on. */
export class Deadline {
  readonly #seconds: Limit;
  readonly #end: number;

  constructor(seconds: Limit) {
    this.#seconds = seconds;
    this.#end = performance.now() + seconds.most * 1000;
  }

  /** @throws GnnError DATASET_LIMIT_EXCEEDED naming the file that is being read when they are over */
  check(file: string): void {
    if (performance.now() > this.#end) throw this.#over(file);
  }

  /**
   * Waits for work on a file, but not for longer. The work itself goes on until it is interrupted or its process ends.
   *
   * @throws GnnError DATASET_LIMIT_EXCEEDED
   */
  async within<T>(file: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      const left = Math.max(0, this.#end - performance.now());
      timer = setTimeout(() => reject(this.#over(file)), Math.min(left, 2 ** 31 - 1));
    });
    // Nobody wants to know how the loser of the race fails.
    work.catch(() => undefined);
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
    }
  }

  #over(file: string) {
    return overLimit(file, "the seconds for reading are over before it has been read", this.#seconds);
  }
}
