import type { Collective } from "../dist/collective.ts";

/** How often ranks ask each other, and after how many steps at most. */
const everyMs = 1000;
const mostSteps = 1000;

/**
 * When a training ends: after its last epoch, or because somebody asks for it, at the next step at which the ranks
 * look. All of them look after the same steps, about once a second, and come to the same answer, whichever was told
 * first.
 */
export class TrainingEnd {
  readonly #collective: Collective;
  readonly #epochs: number;
  readonly #signal: AbortSignal | undefined;
  #isAsked = false;
  /** Steps until the next look, and from look to look */
  #stepsLeft = 1;
  #interval = 1;
  #lookedAt = performance.now();

  /**
   * @param epochs as planned
   * @param signal aborted when somebody asks for the end
   */
  constructor(collective: Collective, epochs: number, signal: AbortSignal | undefined) {
    this.#collective = collective;
    this.#epochs = epochs;
    this.#signal = signal;
  }

  /** Whether the end was asked for, as far as the ranks have told each other. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Whether an epoch that is over is the last one. Every rank asks after each epoch. */
  async isLast(epoch: number): Promise<boolean> {
    if (!this.#isAsked && epoch < this.#epochs) await this.#look(0);
    return this.#isAsked || epoch >= this.#epochs;
  }

  /** Whether the training ends behind the step that was taken. Every rank asks after each step. */
  async isHere(): Promise<boolean> {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft > 0) return false;
    const now = performance.now();
    const msPerStep = await this.#look((now - this.#lookedAt) / this.#interval);
    this.#interval = Math.round(Math.min(mostSteps, Math.max(1, everyMs / msPerStep)));
    this.#stepsLeft = this.#interval;
    this.#lookedAt = performance.now();
    return this.#isAsked;
  }

  /** @returns the mean of what the ranks give, the same on all of them */
  async #look(own: number): Promise<number> {
    const told = Float32Array.of(this.#signal?.aborted ? 1 : 0, own);
    await this.#collective.allReduceSum(told);
    this.#isAsked = told[0] !== 0;
    return (told[1] as number) / this.#collective.worldSize;
  }
}
