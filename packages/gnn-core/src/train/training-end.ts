import type { Collective } from "../dist/collective.ts";

/**
 * After which epoch a training ends by its plan or because somebody asked for it, before its epochs are done. All ranks
 * come to the same answer, whichever of them was told first.
 */
export class TrainingEnd {
  readonly #collective: Collective;
  readonly #epochs: number;
  readonly #signal: AbortSignal | undefined;
  #isAsked = false;

  /**
   * @param epochs as planned
   * @param signal aborted when somebody asks for the end
   */
  constructor(collective: Collective, epochs: number, signal: AbortSignal | undefined) {
    this.#collective = collective;
    this.#epochs = epochs;
    this.#signal = signal;
  }

  /** Whether the last epoch was ended by request. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Whether an epoch that is over was the last one. Every rank asks once after each epoch. */
  async isLast(epoch: number): Promise<boolean> {
    if (epoch >= this.#epochs) return true;
    const asked = Float32Array.of(this.#signal?.aborted ? 1 : 0);
    await this.#collective.allReduceSum(asked);
    this.#isAsked = asked[0] !== 0;
    return this.#isAsked;
  }
}
