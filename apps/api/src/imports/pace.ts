/** Progress is written down this often, and the pace is the mean of about ten of these. */
const everyMs = 1000;
const weight = 0.1;

/** Writes down how far one file is, once in a while, and how fast it comes. */
export class Pace {
  readonly #save: (bytes: number, bytesPerSecond: number) => Promise<void>;
  #at = performance.now();
  #written: number | null = null;
  #bytes = 0;
  #rate: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(save: (bytes: number, bytesPerSecond: number) => Promise<void>) {
    this.#save = save;
  }

  /**
   * @param bytes of the file that are here
   * @throws what failed when the last was written
   */
  note(bytes: number): void {
    this.#throwFailure();
    this.#bytes = bytes;
    if (this.#written === null || bytes < this.#written) {
      this.#written = bytes;
      this.#at = performance.now();
    }
    // Written when its time has come, though nothing more may come by then.
    if (this.#timer === undefined && this.#saving === null) this.#timer = setTimeout(() => this.#write(), everyMs);
  }

  /** After the last of the file, or its failure: nothing more is written. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saving;
  }

  #write(): void {
    this.#timer = undefined;
    const now = performance.now();
    const rate = ((this.#bytes - (this.#written ?? 0)) * 1000) / (now - this.#at);
    this.#rate = this.#rate === null ? rate : this.#rate + weight * (rate - this.#rate);
    this.#at = now;
    this.#written = this.#bytes;
    this.#saving = this.#save(this.#bytes, this.#rate)
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#saving = null;
      });
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
  }
}
